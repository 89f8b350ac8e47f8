// Exchanges of replicas on a GPU. If energies have the bits of the CPU, the decisions are those of
// the CPU. The energies are tested, too. Skips without a GPU.
// Rooms: tempering, spins

#include "larmor/tempering/replica_exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::gpu_replica_exchange_tests {

using namespace larmor::study;
using namespace larmor::tempering;

class ReplicaExchangeOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  void TearDown() override { unsetenv("LARMOR_JIT"); }
};

/// All numbers that many exchanges change.
struct Outcome {
  std::vector<double> rungs, acceptance, beta, tuned;
  ExchangeState state;
  std::vector<std::uint64_t> accepted;
};

Outcome outcome_on(const Device& device) {
  constexpr Index copies = 37, tuned_numbers = 3;
  std::vector<double> ladder, energy, beta, tuned;
  std::vector<std::uint64_t> accepted;
  for (int rung = 0; rung < 13; ++rung) ladder.push_back(0.5 * std::pow(1.1, rung));
  const auto replicas = copies * std::ssize(ladder);
  for (Index r = 0; r < replicas; ++r) {
    energy.push_back(3 * std::sin(static_cast<double>(r * r)));
    beta.push_back(1 / ladder[static_cast<std::size_t>(r) % ladder.size()]);
    for (Index n = 0; n < tuned_numbers; ++n) tuned.push_back(static_cast<double>(3 * r + n));
    accepted.push_back(static_cast<std::uint64_t>(r));
  }
  const Array<double> energies(device, energy);
  Array<double> betas(device, beta), all_tuned(device, tuned);
  Array<std::uint64_t> all_accepted(device, accepted);
  const ExchangeView view{energies.data(), betas.data(), all_tuned.data(), tuned_numbers,
                          all_accepted.data()};
  ReplicaExchange exchange(std::ssize(ladder), replicas, 11, device);
  Pending early = exchange.rungs();
  for (std::uint64_t step = 0; step < 1000; ++step)
    exchange.propose(static_cast<int>(step % 2), step, view);
  Pending rungs = exchange.rungs(), acceptance = exchange.acceptance();
  for (std::uint64_t step = 1000; step < 1010; ++step)
    exchange.propose(static_cast<int>(step % 2), step, view);
  // Pending values keep those of the state at the time of their request.
  const std::vector<double> first = early.take();
  for (std::size_t r = 0; r < first.size(); ++r)
    EXPECT_EQ(first[r], static_cast<double>(r % ladder.size()));
  return {rungs.take(),        acceptance.take(), betas.to_host(),
          all_tuned.to_host(), exchange.state(),  all_accepted.to_host()};
}

TEST_F(ReplicaExchangeOnGpu, DecidesAsTheCpuDoes) {
  const Outcome cpu = outcome_on(Device::cpu(1)), gpu = outcome_on(Device::cuda(0));
  EXPECT_EQ(gpu.rungs, cpu.rungs);
  EXPECT_EQ(gpu.acceptance, cpu.acceptance);
  EXPECT_EQ(gpu.state.labels, cpu.state.labels);
  EXPECT_EQ(gpu.state.counts.from_first, cpu.state.counts.from_first);
  EXPECT_EQ(gpu.state.counts.from_last, cpu.state.counts.from_last);
  EXPECT_EQ(gpu.state.counts.round_trips, cpu.state.counts.round_trips);
  EXPECT_EQ(gpu.beta, cpu.beta);
  EXPECT_EQ(gpu.tuned, cpu.tuned);
  EXPECT_EQ(gpu.accepted, cpu.accepted);
}

TEST_F(ReplicaExchangeOnGpu, GoesOnFromACheckpointOfTheCpu) {
  const std::vector<double> ladder{0.5, 0.7, 1.0};
  ReplicaExchange cpu(3, 6, 3, Device::cpu(1)), gpu(3, 6, 3, Device::cuda(0));
  std::vector<double> energy(6), beta{2.0, 1 / 0.7, 1.0, 2.0, 1 / 0.7, 1.0};
  for (std::uint64_t step = 0; step < 5; ++step)
    cpu.propose(static_cast<int>(step % 2), step, {energy.data(), beta.data()});
  gpu.set_state(cpu.state());
  EXPECT_EQ(gpu.rungs().take(), cpu.rungs().take());
  EXPECT_EQ(gpu.acceptance().take(), cpu.acceptance().take());
  EXPECT_EQ(gpu.at_replicas(ladder), cpu.at_replicas(ladder));
}

/// Tests energies of spins, by kernels that read tables ("never") or by JIT kernels ("always").
void expect_energies_of_whole_replicas(const char* kernels) {
  setenv("LARMOR_JIT", kernels, 1);
  for (const Precision precision :
       {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers})
    for (const Index replicas : {1, 8, 11}) {
      Device device = Device::cuda(0);
      device.precision = precision;
      SpinSystem system(
          parse_system("replicas=" + std::to_string(replicas) +
                           "\n[lattice]\ntype='square'\nsize=[16,12]\n[[exchange]]\nshell=1\nJ=1\n"
                           "[field]\nB=[0,0.1,0.4]\n",
                       "test"),
          device);
      system.state.randomise(7);
      const spins::Observer observer(system.model, system.state.layout(), device);
      Array<double> energies(device, system.state.layout().padded_replicas());
      observer.store_energies(system.state, energies.data());
      const std::vector<double> whole = energies.to_host();
      const std::vector<double> per_site = spins::energy_per_site(system.model, system.state);
      ASSERT_EQ(std::ssize(per_site), replicas);
      const double rounding = precision == Precision::double_numbers ? 1e-11 : 1e-3;
      for (std::size_t r = 0; r < per_site.size(); ++r)
        EXPECT_NEAR(whole[r], 192 * per_site[r], rounding) << kernels << ", replica " << r;
    }
}

TEST_F(ReplicaExchangeOnGpu, SeesTheEnergiesOfWholeReplicas) {
  expect_energies_of_whole_replicas("never");
}

TEST_F(ReplicaExchangeOnGpu, SeesTheEnergiesOfJitKernels) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  expect_energies_of_whole_replicas("always");
}

}  // namespace larmor::gpu_replica_exchange_tests
