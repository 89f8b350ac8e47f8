// One study on the CPU and on a GPU, step by step. The states are equal to rounding. In a strict
// build (LARMOR_STRICT: no fused multiplication and addition), they are equal bit for bit if both
// devices read tables.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::spins::gpu_backends_tests {
namespace {

#if defined(LARMOR_STRICT)
constexpr bool strict = true;
#else
constexpr bool strict = false;
#endif

struct System {
  const char* name;
  const char* text;

  friend void PrintTo(const System& tested, std::ostream* out) { *out << tested.name; }
};

const System systems[] = {
    {"iron",
     "[lattice]\ntype='bcc'\nsize=[4,3,5]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\n"
     "J=0.5\n"},
    {"every_term",
     "[lattice]\ntype='kagome'\nsize=[4,6]\nperiodic=[true,false]\n[[exchange]]\nshell=1\nJ=-1\n"
     "[[biquadratic]]\nshell=1\nb=0.1\n[[dmi]]\nshell=1\nstrength=0.4\ndirection='interface'\n"
     "[[anisotropy]]\nK=0.3\naxis=[0,0.6,0.8]\n[[cubic-anisotropy]]\nK4=0.2\n[field]\n"
     "B=[0,0.1,0.4]\n"},
    {"random_couplings",
     "[lattice]\ntype='square'\nsize=[7,5]\n[[exchange]]\nshell=1\nJ=1\ndisorder=0.5\n"
     "disorder_by_replica=true\n"},
};

class Backends : public ::testing::TestWithParam<std::tuple<System, Index>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
    // JIT kernels would sum in another order.
    setenv("LARMOR_JIT", "never", 1);
  }
  void TearDown() override { unsetenv("LARMOR_JIT"); }

  static study::SpinSystem system_on(const Device& device) {
    const auto& [system, replicas] = GetParam();
    return study::SpinSystem(
        study::parse_system("replicas = " + std::to_string(replicas) + "\n" + system.text, "test"),
        device);
  }
};

void expect_equal(const std::vector<double>& cpu, const std::vector<double>& gpu, double tolerance,
                  const std::string& when) {
  ASSERT_EQ(cpu.size(), gpu.size());
  double largest = 0;
  for (std::size_t i = 0; i < cpu.size(); ++i)
    largest = std::max(largest, std::abs(cpu[i] - gpu[i]));
  if (strict)
    EXPECT_EQ(cpu, gpu) << when << ", largest difference " << largest;
  else
    EXPECT_LT(largest, tolerance) << when;
}

TEST_P(Backends, StepAlike) {
  for (const auto& [scheme, temperature, name] :
       {std::tuple{Scheme::rk4, 0.0, "rk4"}, std::tuple{Scheme::depondt, 0.3, "depondt"},
        std::tuple{Scheme::heun, 0.3, "heun"},
        std::tuple{Scheme::semi_implicit, 0.3, "semi-implicit"},
        std::tuple{Scheme::midpoint, 0.3, "midpoint"}}) {
    study::SpinSystem cpu = system_on(Device::cpu()), gpu = system_on(Device::cuda(0));
    IntegratorSettings settings;
    settings.scheme = scheme;
    settings.timestep = 0.01;
    settings.damping = {0.2};
    Integrator on_cpu(cpu.model, cpu.state.layout(), settings, cpu.device);
    Integrator on_gpu(gpu.model, gpu.state.layout(), settings, gpu.device);
    for (Integrator* integrator : {&on_cpu, &on_gpu}) integrator->set_temperatures({temperature});
    cpu.state.randomise(3);
    gpu.state.randomise(3);
    for (int step = 1; step <= 10; ++step) {
      on_cpu.run(cpu.state, 1);
      on_gpu.run(gpu.state, 1);
      // The midpoint iteration stops at its own tolerance.
      const double rounding = scheme == Scheme::midpoint ? 1e-12 : 1e-14;
      expect_equal(cpu.state.save(), gpu.state.save(), rounding * step,
                   std::string(name) + ", step " + std::to_string(step));
    }
  }
}

TEST_P(Backends, UpdateAlike) {
  for (const Update update : {Update::metropolis, Update::heat_bath, Update::over_relaxation}) {
    study::SpinSystem cpu = system_on(Device::cpu()), gpu = system_on(Device::cuda(0));
    SamplerSettings settings;
    settings.update = update;
    const Index replicas = cpu.state.layout().replicas;
    Sampler on_cpu(cpu.model, settings, 3, replicas, cpu.device);
    Sampler on_gpu(gpu.model, settings, 3, replicas, gpu.device);
    for (Sampler* sampler : {&on_cpu, &on_gpu}) sampler->set_temperatures({1.5});
    cpu.state.randomise(3);
    gpu.state.randomise(3);
    for (int sweep = 1; sweep <= 3; ++sweep) {
      on_cpu.run(cpu.state, 1);
      on_gpu.run(gpu.state, 1);
      expect_equal(cpu.state.save(), gpu.state.save(), 1e-11,
                   "update " + std::to_string(static_cast<int>(update)) + ", sweep " +
                       std::to_string(sweep));
    }
    EXPECT_EQ(on_cpu.acceptance(), on_gpu.acceptance());
  }
}

TEST_P(Backends, MeasureAlike) {
  study::SpinSystem cpu = system_on(Device::cpu()), gpu = system_on(Device::cuda(0));
  cpu.state.randomise(3);
  gpu.state.randomise(3);
  // Sums over sites are added in the order of threads.
  const std::vector<double> on_cpu = energy_per_site(cpu.model, cpu.state);
  const std::vector<double> on_gpu = energy_per_site(gpu.model, gpu.state);
  ASSERT_EQ(on_cpu.size(), on_gpu.size());
  for (std::size_t r = 0; r < on_cpu.size(); ++r) EXPECT_NEAR(on_cpu[r], on_gpu[r], 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Systems, Backends,
                         ::testing::Combine(::testing::ValuesIn(systems), ::testing::Values(1, 11)),
                         [](const auto& test) {
                           return std::get<0>(test.param).name +
                                  ("_x" + std::to_string(std::get<1>(test.param)));
                         });

/// Does one integrator run all steps, or does a new integrator run each step? A new integrator does
/// not know the number of iterations of the step before.
enum class Integration { of_one_integrator, of_a_new_one_each_step };

/// Spins (replica, site, 3) after steps by the midpoint rule. The blocks of replicas need one, some
/// and many iterations. All spins start along the field, and the first block is so cold that its
/// spins stay there. In the last two of every four steps, all blocks are cold.
std::vector<double> after_midpoint_steps(const Device& device, const ReplicaShare& share,
                                         Integration integration) {
  const study::SystemTables tables = study::parse_system(
      "replicas = 20\n[lattice]\ntype='bcc'\nsize=[4,3,5]\n[[exchange]]\nshell=1\nJ=1\n[field]\n"
      "B=[0,0,0.4]\n",
      "test");
  study::SpinSystem system(tables, device, study::build_geometry(tables), share);
  system.state.set_uniform({0, 0, 1});
  IntegratorSettings settings;
  settings.scheme = Scheme::midpoint;
  settings.timestep = 0.01;
  settings.damping = {0.2};
  std::optional<Integrator> integrator;
  for (int step = 0; step < 8; ++step) {
    if (!integrator || integration == Integration::of_a_new_one_each_step)
      integrator.emplace(system.model, system.state.layout(), settings, system.device);
    std::vector<double> thermal_energy;
    for (Index r = share.first; r < share.first + share.count; ++r)
      thermal_energy.push_back((r < 8 ? 1e-30 : r < 16 ? 0.1 : 10) * (step % 4 < 2 ? 1 : 1e-4));
    integrator->set_temperatures(thermal_energy);
    integrator->run(system.state, 1);
  }
  return system.state.configurations(share.count);
}

TEST(MidpointOnGpu, BlocksOfReplicasConvergeByThemselves) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  for (const Precision precision :
       {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers}) {
    Device device = Device::cuda(0);
    device.precision = precision;
    const std::vector<double> all =
        after_midpoint_steps(device, 20, Integration::of_one_integrator);
    const auto of_replica = all.size() / 20;
    for (const ReplicaShare& share : {ReplicaShare{0, 8, 20}, {8, 8, 20}, {16, 4, 20}}) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(of_replica) * share.first;
      const auto end = begin + static_cast<std::ptrdiff_t>(of_replica) * share.count;
      EXPECT_EQ(std::vector<double>(begin, end),
                after_midpoint_steps(device, share, Integration::of_a_new_one_each_step))
          << "replicas from " << share.first << ", precision " << static_cast<int>(precision);
    }
    if (precision == Precision::double_numbers)
      expect_equal(after_midpoint_steps(Device::cpu(), 20, Integration::of_one_integrator), all,
                   1e-11, "blocks that need different numbers of iterations");
  }
}

}  // namespace
}  // namespace larmor::spins::gpu_backends_tests
