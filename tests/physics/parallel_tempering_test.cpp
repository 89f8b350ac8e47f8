// Replicas that exchange temperatures during sampling. Each rung has the energies of its
// temperature. The tuned values and counts of the sampler stay with the rung.
// Rooms: tempering, study

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/models/discrete/sampling/discrete_sampling.hpp"
#include "larmor/study/models/spins/sampling/spin_sampling.hpp"
#include "larmor/tempering/replica_exchange.hpp"
#include "test_system.hpp"
#include "tests/gaussian_field/gaussian_field.hpp"

namespace larmor::parallel_tempering_tests {

using namespace larmor::study;
using testing_support::Named;
using testing_support::sigmas_of_alpha;
using testing_support::test_device;

const std::vector<double> ladder{0.3, 0.45, 0.7, 1.2};
constexpr Index copies = 8;
constexpr Index sites = 6;

using Sampling = std::unique_ptr<SamplerChoice> (*)(const Study&);

/// A system of any model kind, at each rung of several copies of the ladder.
class Tempered {
 public:
  /// @param matter the tables of the study that define the system
  Tempered(const std::string& model_kind, Sampling sampling, const Device& device)
      : study_(parse_study("replicas=32\n" + model_kind +
                               "[[stage]]\nkind='monte-carlo'\ntemperature=1\nsweeps=10\n",
                           "test", "")),
        ranks_(study_.replicas),
        system_(study_.tables->blueprint()->make({device, ranks_.share(), nullptr})),
        exchange(std::ssize(ladder), ranks_.share(), study_.seed, device) {
    system_->begin(study_);
    ensemble = sampling(study_)->make({study_, *system_, ranks_});
    ensemble->set_temperatures(exchange.at_replicas(ladder));
  }

  /// Proposes exchanges of the two parities of pairs, one after the other.
  void propose() {
    exchange.propose(static_cast<int>(proposed_++ % 2), system_->step++, ensemble->exchange_view());
  }
  EnsembleSample measure() const {
    std::vector<std::vector<double>> numbers;
    for (Pending& part : ensemble->begin_measuring()) numbers.push_back(part.take());
    return ensemble->finish_measuring(std::move(numbers));
  }
  void save(StageMemory& memory, Blocks& blocks, tempering::ExchangeState& rungs) const {
    ensemble->save(memory, ranks_);
    rungs = exchange.state();
    blocks = system_->save(ranks_);
  }
  /// @param step number of updates done
  void load(const StageMemory& memory, const Blocks& blocks, const tempering::ExchangeState& rungs,
            std::uint64_t step) {
    system_->load(blocks, ranks_);
    system_->step = step;
    ensemble->load(memory, ranks_);
    exchange.set_state(rungs);
    ensemble->set_temperatures(exchange.at_replicas(ladder));
  }
  std::uint64_t step() const { return system_->step; }
  /// The energies of the replicas that exchanges use.
  std::vector<double> energies() const {
    std::vector<double> energy(static_cast<std::size_t>(study_.replicas));
    copy_bytes(Device{}, energy.data(), system_->device, ensemble->exchange_view().energy,
               energy.size() * sizeof(double));
    return energy;
  }

 private:
  Study study_;
  Ranks ranks_;
  std::unique_ptr<System> system_;
  Index proposed_ = 0;

 public:
  std::unique_ptr<Ensemble> ensemble;
  tempering::ReplicaExchange exchange;
};

/// Open chains of spins, sampled by single-spin updates.
template <bool heat_bath>
Tempered chains() {
  return Tempered(
      "[lattice]\ntype='chain'\nsize=[6]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n",
      [](const Study& study) {
        SpinSamplerKeys keys;
        keys.sampler = heat_bath ? "heat-bath" : "metropolis";
        return SpinSampling::sampler(keys, study.context);
      },
      test_device(1));
}

/// Open chains of spins, sampled by clusters and over-relaxation.
template <bool wolff>
Tempered chains_of_clusters() {
  return Tempered(
      "[lattice]\ntype='chain'\nsize=[6]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n",
      [](const Study& study) {
        SpinSamplerKeys keys;
        keys.sampler = wolff ? "wolff" : "swendsen-wang";
        keys.over_relaxation = 1;
        return SpinSampling::sampler(keys, study.context);
      },
      test_device(1));
}

/// The exact energy per site, -(N-1)/N L(1/T).
double energy_of_chains(double temperature) {
  return -(sites - 1.0) / sites * (1 / std::tanh(1 / temperature) - temperature);
}

enum class IsingSampler { glauber, swendsen_wang, wolff };

template <IsingSampler sampler>
Tempered ising_chains() {
  return Tempered(
      "[model]\nkind='ising'\n[lattice]\ntype='chain'\nsize=[6]\nperiodic=false\n[[exchange]]\n"
      "shell=1\nJ=1\n",
      [](const Study& study) {
        DiscreteSamplerKeys keys;
        keys.sampler = sampler == IsingSampler::glauber         ? "glauber"
                       : sampler == IsingSampler::swendsen_wang ? "swendsen-wang"
                                                                : "wolff";
        return DiscreteSampling::sampler(keys, study.context);
      },
      test_device(1));
}

/// The exact energy per site, -(N-1)/N tanh(1/T).
double energy_of_ising_chains(double temperature) {
  return -(sites - 1.0) / sites * std::tanh(1 / temperature);
}

/// A system of the model kind gaussian-field, on the CPU.
Tempered gaussian_fields() {
  static const testing_support::GaussianField field;
  static const bool is_known = (add_model_kind(field), true);
  static_cast<void>(is_known);
  return Tempered(
      "[model]\nkind='gaussian-field'\n[ring]\nsites=6\n[stiffness]\nmass=0.8\nK=0.5\n",
      [](const Study&) { return testing_support::GaussianField::sampler(); }, Device::cpu(1));
}

/// The exact energy per site, T/2.
double energy_of_gaussian_fields(double temperature) { return temperature / 2; }

struct Matter {
  Tempered (*make)();
  double (*exact_energy)(double temperature);  ///< per site
};

/// Sorts values of replicas by (copy, rung). @param rungs the rung of each replica
std::vector<double> by_rung(const std::vector<double>& of_replica,
                            const std::vector<double>& rungs) {
  std::vector<double> sorted(of_replica.size());
  for (std::size_t r = 0; r < rungs.size(); ++r)
    sorted[r / ladder.size() * ladder.size() + static_cast<std::size_t>(rungs[r])] = of_replica[r];
  return sorted;
}

class ParallelTempering : public testing::TestWithParam<Named<Matter>> {};

TEST_P(ParallelTempering, GivesTheExactEnergyOfEveryRung) {
  Tempered replicas = GetParam().value.make();
  for (int round = 0; round < 40; ++round) {
    replicas.ensemble->tune(10);
    replicas.propose();
  }
  replicas.exchange.reset_counts();
  std::vector<std::vector<double>> series(ladder.size());  // by rung, [sample][copy]
  std::vector<double> wandered(static_cast<std::size_t>(copies));
  for (int sample = 0; sample < 5000; ++sample) {
    replicas.ensemble->run(2);
    replicas.propose();
    const std::vector<double> rungs = replicas.exchange.rungs().take();
    const std::vector<double> energy = by_rung(replicas.measure().energy, rungs);
    for (std::size_t n = 0; n < energy.size(); ++n) series[n % ladder.size()].push_back(energy[n]);
    for (std::size_t copy = 0; copy < wandered.size(); ++copy)
      wandered[copy] += rungs[copy * ladder.size()] / 5000;
  }
  for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
    const double exact = GetParam().value.exact_energy(ladder[rung]);
    const Estimate e = estimate_replicas(series[rung], copies);
    EXPECT_TRUE(e.reliable);
    EXPECT_LT(std::abs(e.value - exact), sigmas_of_alpha * e.error)
        << ladder[rung] << ": " << e.value << " +- " << e.error << " against " << exact;
    EXPECT_LT(e.error, 0.005) << "too coarse to notice anything";
  }
  for (const double accepted : replicas.exchange.acceptance().take()) {
    EXPECT_GT(accepted, 0.1);
    EXPECT_LT(accepted, 0.97);
  }
  // The first replica of a copy spends equal time at every rung.
  for (const double rung : wandered) EXPECT_NEAR(rung, 1.5, 0.3);
}

/// Tests samplers with numbers that differ from rung to rung.
class NumbersOfRungs : public testing::TestWithParam<Named<Matter>> {};

TEST_P(NumbersOfRungs, TakesWhatWasTunedAndCountedAlong) {
  Tempered replicas = GetParam().value.make();
  for (int round = 0; round < 20; ++round) replicas.ensemble->tune(10);
  const auto numbers = [&] {
    std::vector<std::vector<double>> sorted;
    for (const SamplerNumber& number : replicas.ensemble->sampler_numbers())
      sorted.push_back(by_rung(number.values, replicas.exchange.rungs().take()));
    return sorted;
  };
  const std::vector<std::vector<double>> before = numbers();
  EXPECT_NE(before[0][0], before[0][1]) << "numbers tell no rungs apart";
  const std::vector<double> rungs = replicas.exchange.rungs().take();
  for (int round = 0; round < 10; ++round) replicas.propose();
  EXPECT_NE(replicas.exchange.rungs().take(), rungs);
  EXPECT_EQ(numbers(), before);
}

TEST_P(ParallelTempering, SeesTheEnergiesOfWholeReplicas) {
  Tempered replicas = GetParam().value.make();
  replicas.ensemble->run(3);
  const std::vector<double> energies = replicas.energies(), per_site = replicas.measure().energy;
  for (std::size_t r = 0; r < energies.size(); ++r)
    EXPECT_NEAR(energies[r], sites * per_site[r], 1e-12);
}

TEST_P(ParallelTempering, GoesOnFromWhatWasSaved) {
  Tempered whole = GetParam().value.make(), resumed = GetParam().value.make();
  for (int round = 0; round < 6; ++round) {
    whole.ensemble->tune(10);
    whole.propose();
  }
  StageMemory memory;
  Blocks blocks;
  tempering::ExchangeState rungs;
  whole.save(memory, blocks, rungs);
  resumed.load(memory, blocks, rungs, whole.step());
  const auto numbers = [](const Tempered& replicas) {
    std::vector<std::vector<double>> values;
    for (const SamplerNumber& number : replicas.ensemble->sampler_numbers())
      values.push_back(number.values);
    return values;
  };
  EXPECT_EQ(numbers(resumed), numbers(whole));
  EXPECT_EQ(resumed.exchange.rungs().take(), whole.exchange.rungs().take());
  for (int round = 0; round < 4; ++round)
    for (Tempered* const replicas : {&whole, &resumed}) {
      replicas->ensemble->run(3);
      replicas->propose();
    }
  EXPECT_EQ(resumed.energies(), whole.energies());
  EXPECT_EQ(resumed.exchange.rungs().take(), whole.exchange.rungs().take());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ParallelTempering,
    testing::Values(
        Named<Matter>{"metropolis", {chains<false>, energy_of_chains}},
        Named<Matter>{"heat_bath", {chains<true>, energy_of_chains}},
        Named<Matter>{"spin_clusters", {chains_of_clusters<false>, energy_of_chains}},
        Named<Matter>{"spin_clusters_of_wolff", {chains_of_clusters<true>, energy_of_chains}},
        Named<Matter>{"ising", {ising_chains<IsingSampler::glauber>, energy_of_ising_chains}},
        Named<Matter>{"swendsen_wang",
                      {ising_chains<IsingSampler::swendsen_wang>, energy_of_ising_chains}},
        Named<Matter>{"wolff", {ising_chains<IsingSampler::wolff>, energy_of_ising_chains}},
        Named<Matter>{"gaussian_field", {gaussian_fields, energy_of_gaussian_fields}}),
    testing_support::by_name);

INSTANTIATE_TEST_SUITE_P(
    Kinds, NumbersOfRungs,
    testing::Values(Named<Matter>{"metropolis", {chains<false>, energy_of_chains}},
                    Named<Matter>{"ising",
                                  {ising_chains<IsingSampler::glauber>, energy_of_ising_chains}}),
    testing_support::by_name);

}  // namespace larmor::parallel_tempering_tests
