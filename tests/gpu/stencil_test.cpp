// JIT kernels, compared with kernels that read tables. States agree to the rounding of sums in
// another order.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <span>
#include <tuple>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/jit/stencil_use.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "larmor/tempering/replica_exchange.hpp"
#include "tests/jit_kernel_models.hpp"
#include "tests/named.hpp"

namespace larmor::spins::gpu_stencil_tests {
namespace {

using Lattice = testing_support::NamedModel;
using testing_support::jit_kernel_models;
using testing_support::Named;

class JitKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
    if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  }
  void TearDown() override { unsetenv("LARMOR_JIT"); }
};

Device gpu(Precision precision) {
  Device device = Device::cuda(0);
  device.precision = precision;
  return device;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double rounding(Precision precision) {
  return precision == Precision::double_numbers ? 1e-13 : 2e-5;
}

/// A reflection about a small field, or a heat bath in it, amplifies rounding errors.
double rounding_of_updates(Precision precision) { return 20 * rounding(precision); }

template <class Run>
std::vector<double> state_after(const char* kernels, const Lattice& lattice, Index replicas,
                                Precision precision, const Run& run) {
  setenv("LARMOR_JIT", kernels, 1);
  study::SpinSystem system(
      study::parse_system("replicas = " + std::to_string(replicas) + "\n" + lattice.text, "test"),
      gpu(precision));
  system.state.randomise(7);
  if (std::string(kernels) == "always") {
    EXPECT_TRUE(
        stencil_to_use(system.model, system.state.layout(), system.device, StencilCells::crystal))
        << lattice.name;
  }
  run(system);
  return system.state.save();
}

template <class Run>
void expect_same(Precision precision, double tolerance, const Run& run) {
  for (const Lattice& lattice : jit_kernel_models)
    for (const Index replicas : {1, 8, 11}) {
      const auto made = state_after("always", lattice, replicas, precision, run);
      const auto table = state_after("never", lattice, replicas, precision, run);
      ASSERT_EQ(made.size(), table.size());
      EXPECT_LT(largest_difference(made, table), tolerance)
          << lattice.name << ", replicas " << replicas;
    }
}

void run_steps(study::SpinSystem& system, Scheme scheme, double temperature, Index steps,
               bool driven) {
  IntegratorSettings settings;
  settings.scheme = scheme;
  settings.timestep = 0.01;
  settings.damping = {0.2};
  Integrator integrator(system.model, system.state.layout(), settings, system.device);
  integrator.set_temperatures({temperature});
  std::vector<StepDrive> drive(driven ? static_cast<std::size_t>(steps) : 0);
  for (std::size_t n = 0; n < drive.size(); ++n)
    drive[n].begin.field = drive[n].end.field = {0.1 * static_cast<double>(n), 0, 0.2};
  integrator.run(system.state, steps, drive);
  integrator.run(system.state, 3);
}

/// Spins on ladders, which exchange rungs between sweeps.
class ExchangedSpins {
 public:
  ExchangedSpins(const Lattice& lattice, const SamplerSettings& settings, Precision precision,
                 Index rungs = 5, Index ladders = 3)
      : system_(study::parse_system("replicas = " + std::to_string(rungs * ladders) + "\n" +
                                        std::string(lattice.text),
                                    "test"),
                gpu(precision)),
        sampler_(system_.model, settings, 5, rungs * ladders, system_.device),
        exchange_(rungs, rungs * ladders, 5, system_.device),
        observer_(system_.model, system_.state.layout(), system_.device),
        energies_(system_.device, system_.state.layout().padded_replicas()) {
    system_.state.randomise(7);
    std::vector<double> ladder;
    for (Index rung = 0; rung < rungs; ++rung)
      ladder.push_back(0.6 + 3 / std::sqrt(system_.model.sites()) * static_cast<double>(rung) /
                                 static_cast<double>(rungs));
    sampler_.set_temperatures(exchange_.at_replicas(ladder));
  }

  bool run_together(Index sweeps, const tempering::ExchangeTimes& times) {
    return sampler_.run_exchanging(system_.state, sweeps, times, exchange_);
  }
  void run_apart(Index sweeps, tempering::ExchangeTimes times) {
    for (Index sweep = 0; sweep < sweeps; ++sweep, times = times.after(1)) {
      sampler_.run(system_.state, 1);
      if (times.first > 1) continue;
      observer_.store_energies(system_.state, energies_.data());
      tempering::ExchangeView exchanged = sampler_.exchange_view();
      exchanged.energy = energies_.data();
      exchange_.propose(times.parity, system_.state.step++, exchanged);
    }
  }

  std::vector<double> spins() const { return system_.state.save(); }
  std::uint64_t step() const { return system_.state.step; }
  std::vector<double> sampler() const { return sampler_.save(); }
  tempering::ExchangeState exchanges() const { return exchange_.state(); }

 private:
  study::SpinSystem system_;
  Sampler sampler_;
  tempering::ReplicaExchange exchange_;
  Observer observer_;
  Array<double> energies_;
};

void expect_equal(const tempering::ExchangeState& together, const tempering::ExchangeState& apart) {
  EXPECT_EQ(together.rungs, apart.rungs);
  EXPECT_EQ(together.labels, apart.labels);
  EXPECT_EQ(together.counts.proposed, apart.counts.proposed);
  EXPECT_EQ(together.counts.accepted, apart.counts.accepted);
  EXPECT_EQ(together.counts.from_first, apart.counts.from_first);
  EXPECT_EQ(together.counts.from_last, apart.counts.from_last);
  EXPECT_EQ(together.counts.round_trips, apart.counts.round_trips);
}

/// Some ladders have more rungs than a block of threads has warps for blocks of replicas. Others
/// have more rungs than threads.
TEST_F(JitKernels, ExchangeReplicasOfLongLadders) {
  setenv("LARMOR_JIT", "always", 1);
  const Lattice chain{"chain",
                      "[lattice]\ntype = \"chain\"\nsize = [8]\n[[exchange]]\nshell = 1\nJ = 1\n"};
  for (const Index rungs : {150, 1100}) {
    SCOPED_TRACE(rungs);
    ExchangedSpins together(chain, {}, Precision::double_numbers, rungs, 1);
    ExchangedSpins apart(chain, {}, Precision::double_numbers, rungs, 1);
    const tempering::ExchangeTimes times{1, 2, 0};
    ASSERT_TRUE(together.run_together(20, times));
    apart.run_apart(20, times);
    EXPECT_EQ(together.spins(), apart.spins());
    expect_equal(together.exchanges(), apart.exchanges());
  }
}

TEST_F(JitKernels, ExchangeReplicasAmongSweepsAsBetweenThem) {
  setenv("LARMOR_JIT", "always", 1);
  SamplerSettings heat_bath;
  heat_bath.update = Update::heat_bath;
  heat_bath.over_relaxation = 1;
  const std::pair<SamplerSettings, Precision> cases[] = {
      {SamplerSettings{}, Precision::double_numbers}, {heat_bath, Precision::mixed_numbers}};
  for (const Lattice& lattice : jit_kernel_models)
    for (const auto& [settings, precision] : cases) {
      SCOPED_TRACE(lattice.name);
      ExchangedSpins together(lattice, settings, precision);
      ExchangedSpins apart(lattice, settings, precision);
      // Launches are recorded several times, with equal and with other times. No exchange follows
      // the last sweeps.
      tempering::ExchangeTimes times{2, 3, 1};
      for (const Index sweeps : {20, 60, 1, 150}) {
        ASSERT_TRUE(together.run_together(sweeps, times));
        apart.run_apart(sweeps, times);
        times = times.after(sweeps);
      }
      EXPECT_EQ(together.spins(), apart.spins());
      EXPECT_EQ(together.step(), apart.step());
      EXPECT_EQ(together.sampler(), apart.sampler());
      const tempering::ExchangeState of_together = together.exchanges();
      expect_equal(of_together, apart.exchanges());
      double accepted = 0, most = 0;
      for (const double number : of_together.counts.accepted) accepted += number;
      for (const Index proposed : of_together.counts.proposed) most += 6 * proposed;
      EXPECT_GT(accepted, 0.1 * most);
      EXPECT_LT(accepted, 0.9 * most);
    }
}

TEST_F(JitKernels, StepAsTablesDo) {
  for (const Precision precision :
       {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers})
    expect_same(precision, rounding(precision), [](study::SpinSystem& system) {
      run_steps(system, Scheme::depondt, 0.3, 5, false);
    });
}

TEST_F(JitKernels, StepAsTablesDoInEveryScheme) {
  const double tolerance = rounding(Precision::double_numbers);
  expect_same(Precision::double_numbers, tolerance, [](study::SpinSystem& system) {
    run_steps(system, Scheme::heun, 0.3, 3, false);
    run_steps(system, Scheme::semi_implicit, 0.3, 3, true);
    run_steps(system, Scheme::rk4, 0, 3, false);
  });
}

TEST_F(JitKernels, StepAndUpdateAsTheCpuDoes) {
  // The tables of a GPU might have the error of its JIT kernels. Therefore a CPU reads its own
  // tables here.
  for (const Lattice& lattice : jit_kernel_models)
    for (const Index replicas : {1, 11}) {
      const auto run = [](study::SpinSystem& system) {
        run_steps(system, Scheme::rk4, 0, 3, false);
        SamplerSettings settings;
        settings.adaptive_cone = false;
        Sampler sampler(system.model, settings, 3, system.state.layout().replicas, system.device);
        sampler.set_temperatures({1.5});
        sampler.run(system.state, 2);
      };
      const auto made = state_after("always", lattice, replicas, Precision::double_numbers, run);
      study::SpinSystem cpu(
          study::parse_system("replicas = " + std::to_string(replicas) + "\n" + lattice.text,
                              "test"),
          Device::cpu());
      cpu.state.randomise(7);
      run(cpu);
      const auto expected = cpu.state.save();
      ASSERT_EQ(made.size(), expected.size());
      EXPECT_LT(largest_difference(made, expected), rounding_of_updates(Precision::double_numbers))
          << lattice.name << ", replicas " << replicas;
    }
}

TEST_F(JitKernels, LeaveBiquadraticBondsAndDipolesToTables) {
  setenv("LARMOR_JIT", "always", 1);
  const std::string honeycomb =
      "[lattice]\ntype='honeycomb'\nsize=[6,8]\n[[exchange]]\nshell=1\n"
      "J=1\n[[anisotropy]]\nK=0.3\nK4=0.2\n";
  for (const char* more :
       {"[[biquadratic]]\nshell=1\nb=0.4\n", "[dipolar]\nstrength=0.3\nmethod='fft'\n"}) {
    const study::SystemTables tables = study::parse_system(honeycomb + more, "test");
    study::SpinSystem on_gpu(tables, gpu(Precision::double_numbers)), cpu(tables, Device::cpu());
    EXPECT_FALSE(
        stencil_to_use(on_gpu.model, on_gpu.state.layout(), on_gpu.device, StencilCells::crystal))
        << more;
    for (study::SpinSystem* system : {&on_gpu, &cpu}) {
      system->state.randomise(7);
      run_steps(*system, Scheme::depondt, 0.3, 5, true);
    }
    EXPECT_LT(largest_difference(on_gpu.state.save(), cpu.state.save()), 1e-12) << more;
  }
}

TEST_F(JitKernels, RecordedStepsHaveTheirOwnNoise) {
  const auto run = [](study::SpinSystem& system) {
    IntegratorSettings settings;
    settings.timestep = 0.002;
    settings.damping = {0.5};
    Integrator integrator(system.model, system.state.layout(), settings, system.device);
    integrator.set_temperatures({0.5});
    integrator.run(system.state, 200);
    integrator.run(system.state, 100);
    EXPECT_EQ(system.state.step, 300u);
  };
  const auto made = state_after("always", jit_kernel_models[0], 8, Precision::double_numbers, run);
  const auto table = state_after("never", jit_kernel_models[0], 8, Precision::double_numbers, run);
  // Nearby trajectories diverge slowly. 300 steps of 0.002 are a short time for this.
  EXPECT_LT(largest_difference(made, table), 1e-11);
}

/// Appends energies and magnetisations of samples of all replicas.
void append(std::vector<double>& all, const std::vector<std::vector<double>>& numbers) {
  const EnergyAndMagnetisation measured = Observer::finish(numbers);
  all.insert(all.end(), measured.energy.begin(), measured.energy.end());
  all.insert(all.end(), measured.magnetisation.begin(), measured.magnetisation.end());
}

/// Measures at every `every`-th of `steps` steps, and at the end. @param drive one entry per step
std::vector<double> measured_on_the_way(study::SpinSystem& system, Scheme scheme,
                                        double temperature, Index steps, Index every,
                                        std::span<const StepDrive> drive) {
  IntegratorSettings settings;
  settings.scheme = scheme;
  settings.timestep = 0.01;
  settings.damping = {0.2};
  Integrator integrator(system.model, system.state.layout(), settings, system.device);
  integrator.set_temperatures({temperature});
  const Observer observer(system.model, system.state.layout(), system.device);
  const auto now = [&] {
    std::vector<std::vector<double>> numbers;
    for (Pending& part : observer.begin(system.state)) numbers.push_back(part.take());
    return numbers;
  };
  std::vector<double> all;
  // The loop runs twice, because a repeated record and launch must give equal results.
  for (int repeat = 0; repeat < 2; ++repeat) {
    if (integrator.samples_at_once(system.state) > 0) {
      const auto numbers = integrator.run_observed(system.state, steps, every, drive).take();
      const auto sample = 4 * system.state.layout().replicas;
      for (std::size_t n = 0; n < numbers.size(); n += static_cast<std::size_t>(sample))
        append(all, {{numbers.begin() + static_cast<std::ptrdiff_t>(n),
                      numbers.begin() + static_cast<std::ptrdiff_t>(n) + sample}});
    } else {
      for (Index step = 0; step < steps; ++step) {
        if (step % every == 0) append(all, now());
        integrator.run(system.state, 1,
                       drive.empty() ? drive : drive.subspan(static_cast<std::size_t>(step), 1));
      }
    }
  }
  append(all, now());
  return all;
}

struct TestedScheme {
  const char* name;
  Scheme scheme;
  double temperature;
  bool pulsed;

  friend void PrintTo(const TestedScheme& tested, std::ostream* out) { *out << tested.name; }
};

class JitKernelsOnTheWay
    : public JitKernels,
      public ::testing::WithParamInterface<std::tuple<TestedScheme, Named<Precision>>> {};

TEST_P(JitKernelsOnTheWay, MeasureWhatTablesMeasure) {
  const auto& [way, numbers] = GetParam();
  const Precision precision = numbers.value;
  constexpr Index steps = 13, every = 5;
  std::vector<StepDrive> pulse(way.pulsed ? steps : 0);
  for (std::size_t n = 0; n < pulse.size(); ++n)
    pulse[n].begin.field = {0.1, 0, 0.02 * static_cast<double>(n)};
  std::vector<double> measured;
  expect_same(precision, rounding(precision), [&](study::SpinSystem& system) {
    const std::vector<double> now =
        measured_on_the_way(system, way.scheme, way.temperature, steps, every, pulse);
    if (measured.empty()) {
      measured = now;
      return;
    }
    ASSERT_EQ(now.size(), measured.size());
    EXPECT_LT(largest_difference(now, measured), 10 * rounding(precision))
        << "replicas " << system.state.layout().replicas;
    measured.clear();
  });
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, JitKernelsOnTheWay,
    ::testing::Combine(::testing::Values(TestedScheme{"depondt", Scheme::depondt, 0.3, false},
                                         TestedScheme{"heun_with_pulse", Scheme::heun, 0.3, true},
                                         TestedScheme{"rk4", Scheme::rk4, 0, false},
                                         TestedScheme{"semi_implicit", Scheme::semi_implicit, 0.3,
                                                      false}),
                       ::testing::Values(Named<Precision>{"double", Precision::double_numbers},
                                         Named<Precision>{"mixed", Precision::mixed_numbers})),
    [](const auto& test) {
      return std::get<0>(test.param).name + std::string("_") + std::get<1>(test.param).name;
    });

TEST_F(JitKernels, UpdateAsTablesDo) {
  for (const Update update : {Update::metropolis, Update::heat_bath, Update::over_relaxation})
    for (const Precision precision : {Precision::double_numbers, Precision::mixed_numbers})
      expect_same(precision, rounding_of_updates(precision), [update](study::SpinSystem& system) {
        SamplerSettings settings;
        settings.update = update;
        settings.adaptive_cone = false;
        Sampler sampler(system.model, settings, 3, system.state.layout().replicas, system.device);
        sampler.set_temperatures({1.5});
        sampler.run(system.state, 2);
      });
}

TEST_F(JitKernels, NeedNoTables) {
  setenv("LARMOR_JIT", "always", 1);
  study::SpinSystem system(study::parse_system(jit_kernel_models[0].text, "test"),
                           gpu(Precision::double_numbers));
  const Index before = system.model.bytes();
  Sampler sampler(system.model, {}, 3, 1, system.device);
  sampler.set_temperatures({1.5});
  sampler.run(system.state, 3);
  run_steps(system, Scheme::depondt, 0.3, 5, false);
  EXPECT_EQ(system.model.bytes(), before);
}

TEST_F(JitKernels, CountAsTablesDo) {
  for (const Index replicas : {1, 11}) {
    std::vector<double> acceptance[2];
    int n = 0;
    for (const char* kernels : {"always", "never"})
      state_after(kernels, jit_kernel_models[0], replicas, Precision::double_numbers,
                  [&](study::SpinSystem& system) {
                    Sampler sampler(system.model, {}, 3, replicas, system.device);
                    sampler.set_temperatures({1.5});
                    sampler.run(system.state, 3);
                    acceptance[n++] = sampler.acceptance();
                  });
    EXPECT_EQ(acceptance[0], acceptance[1]);
  }
}

}  // namespace
}  // namespace larmor::spins::gpu_stencil_tests
