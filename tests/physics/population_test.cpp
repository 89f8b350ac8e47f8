// Populations of given energies: numbers of copies, families, and free energies. The errors of free
// energies cover the exact values.
// Rooms: tempering

#include "larmor/tempering/population.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/philox.hpp"
#include "tests/named.hpp"

namespace larmor::population_tests {

using namespace larmor::tempering;
using testing_support::Named;

class PopulationControl : public testing::TestWithParam<Named<Resampling>> {
 protected:
  static PopulationRule rule(Index target) {
    return {target, target + spare_replicas(target), GetParam().value};
  }
};

const std::vector<double> six_energies{-2.0, -1.3, 0.4, 1.0, 0.1, -0.7};

TEST_P(PopulationControl, CopiesEachReplicaAsOftenAsItsWeightAsks) {
  constexpr double rise = 0.9;
  constexpr int draws = 20000;
  double sum = 0;
  std::vector<double> mean;
  for (const double e : six_energies) {
    mean.push_back(std::exp(-rise * e));
    sum += mean.back();
  }
  for (double& w : mean) w *= 6 / sum;
  std::vector<double> counted(6);
  double members = 0;
  for (int draw = 0; draw < draws; ++draw) {
    Population population(rule(6), 3);
    population.resample(six_energies, rise, static_cast<std::uint64_t>(draw));
    std::vector<double> copies(6);
    for (const Index family : population.state().family) ++copies[static_cast<std::size_t>(family)];
    for (std::size_t r = 0; r < 6; ++r) {
      EXPECT_LT(std::abs(copies[r] - mean[r]), 1) << "not rounded up or down";
      counted[r] += copies[r] / draws;
    }
    members += static_cast<double>(population.size()) / draws;
    if (GetParam().value == Resampling::systematic) {
      EXPECT_EQ(population.size(), 6);
    }
  }
  for (std::size_t r = 0; r < 6; ++r)
    EXPECT_NEAR(counted[r], mean[r], 3.5 * 0.5 / std::sqrt(draws));
  EXPECT_NEAR(members, 6, 3.5 * 1.3 / std::sqrt(draws));
}

TEST_P(PopulationControl, CopiesInPlaceWhatItSaysItCopies) {
  Population population(rule(200), 7);
  std::vector<Index> family;
  for (Index r = 0; r < 200; ++r) family.push_back(r);
  family.resize(static_cast<std::size_t>(rule(200).capacity), -1);
  for (std::uint64_t step = 0; step < 30; ++step) {
    std::vector<double> energy;
    for (Index r = 0; r < population.size(); ++r)
      energy.push_back(std::sin(static_cast<double>(r * r) + 5 * static_cast<double>(step)));
    const Index before = population.size();
    const std::vector<Index> source = population.resample(energy, 0.5, step);
    ASSERT_EQ(source.size(), family.size());
    for (std::size_t r = 0; r < source.size(); ++r) {
      const auto from = static_cast<std::size_t>(source[r]);
      EXPECT_EQ(source[from], source[r]) << "a source is overwritten";
      if (from != r) {
        EXPECT_LT(source[r], before) << "an idle replica is copied";
        EXPECT_LT(static_cast<Index>(r), population.size()) << "a copy is idle";
      }
      family[r] = family[from];
    }
    for (Index r = 0; r < population.size(); ++r)
      ASSERT_EQ(family[static_cast<std::size_t>(r)],
                population.state().family[static_cast<std::size_t>(r)]);
  }
}

TEST_P(PopulationControl, KeepsItsSize) {
  Population population(rule(400), 5);
  for (std::uint64_t step = 0; step < 200; ++step) {
    std::vector<double> energy;
    for (Index r = 0; r < population.size(); ++r)
      energy.push_back(std::sin(static_cast<double>(r * r) + static_cast<double>(step)));
    population.resample(energy, 0.5, step);
    // The bound is four standard deviations. The size does not depend on the sizes before.
    ASSERT_LE(std::abs(population.size() - 400), 40);
  }
}

TEST_P(PopulationControl, FreeEnergyGoesByTheReplicasThatThereAre) {
  Population population(rule(300), 1);
  std::set<Index> sizes;
  for (std::uint64_t step = 0; step < 20; ++step) {
    std::vector<double> energy;
    for (Index r = 0; r < population.size(); ++r)
      energy.push_back(std::cos(static_cast<double>(r * r + 3)));
    population.resample(energy, 0.8, 2 * step);
    sizes.insert(population.size());
    // All replicas have one energy, for which Z' / Z is known.
    const double before = population.log_ratio();
    const std::vector<double> flat(static_cast<std::size_t>(population.size()), -7.25);
    population.resample(flat, 0.5, 2 * step + 1);
    EXPECT_NEAR(population.log_ratio() - before, 0.5 * 7.25, 1e-12);
    sizes.insert(population.size());
  }
  if (GetParam().value == Resampling::nearest_integer) {
    EXPECT_GT(sizes.size(), 10u);
  }
}

/// Units of two levels, 40 for each replica, cooled in a few steps.
/// @param mixes if set, the units of every replica are drawn anew at each temperature; otherwise
/// units keep their states and the cooling has fewer steps
struct TwoLevels {
  static constexpr int units = 40;
  static int steps(bool mixes) { return mixes ? 12 : 4; }
  static constexpr double rise = 0.08;

  static double log_ratio(double beta) { return units * std::log((1 + std::exp(-beta)) / 2); }
  static double energy(double beta) { return units / (1 + std::exp(beta)); }

  Estimate ratio, mean_energy;

  TwoLevels(const PopulationRule& rule, std::uint64_t seed, bool mixes) {
    Population population(rule, seed);
    std::vector<double> energy(static_cast<std::size_t>(rule.capacity));
    const auto draw = [&](int step) {
      const RandomKey key{seed, static_cast<std::uint64_t>(step), Stream::metropolis};
      for (std::size_t r = 0; r < energy.size(); ++r) {
        energy[r] = 0;
        for (std::uint64_t unit = 0; unit < units; ++unit) {
          const auto random = philox<std::uint64_t>(key, unit, static_cast<std::uint64_t>(r));
          energy[r] +=
              uniform_52<double>(random.w[0], random.w[1]) < 1 / (1 + std::exp(rise * step));
        }
      }
    };
    draw(0);
    for (int step = 1; step <= steps(mixes); ++step) {
      const std::vector<Index> source =
          population.resample(std::span(energy).first(static_cast<std::size_t>(population.size())),
                              rise, static_cast<std::uint64_t>(step));
      if (mixes) {
        draw(step);
      } else {
        for (std::size_t r = 0; r < source.size(); ++r)
          energy[r] = energy[static_cast<std::size_t>(source[r])];
      }
    }
    const auto members =
        std::span<const double>(energy).first(static_cast<std::size_t>(population.size()));
    ratio = population.estimate({}, [](auto, double log_ratio) { return log_ratio; });
    mean_energy = population.estimate({members}, [](auto means, double) { return means[0]; });
  }
};

TEST_P(PopulationControl, ErrorsCoverWhetherOrNotReplicasForget) {
  constexpr int runs = 200;
  for (const bool mixes : {true, false}) {
    double mean_ratio = 0, chi2_ratio = 0, mean_energy = 0, chi2_energy = 0, error = 0;
    const double beta = TwoLevels::rise * TwoLevels::steps(mixes);
    for (int run = 0; run < runs; ++run) {
      const TwoLevels found(rule(400), static_cast<std::uint64_t>(100 + run), mixes);
      const double x = (found.ratio.value - TwoLevels::log_ratio(beta)) / found.ratio.error;
      const double y =
          (found.mean_energy.value - TwoLevels::energy(beta)) / found.mean_energy.error;
      EXPECT_TRUE(found.ratio.reliable);
      mean_ratio += x / runs;
      chi2_ratio += x * x / runs;
      mean_energy += y / runs;
      chi2_energy += y * y / runs;
      error += found.ratio.error / runs;
    }
    // The mean of 200 squares of normal numbers scatters by 0.1. If replicas keep their units, they
    // have a bias of order 1/R, some tenths of an error here.
    const double bias = mixes ? 3.5 / std::sqrt(runs) : 0.5, scatter = mixes ? 0.35 : 0.5;
    EXPECT_NEAR(mean_ratio, 0, bias) << mixes;
    EXPECT_NEAR(mean_energy, 0, bias) << mixes;
    EXPECT_NEAR(chi2_ratio, 1, scatter) << mixes;
    EXPECT_NEAR(chi2_energy, 1, scatter) << mixes;
    EXPECT_LT(error, mixes ? 0.05 : 0.1) << "too coarse to notice anything";
  }
}

TEST_P(PopulationControl, StepsHaveTheOverlapAskedFor) {
  const Population population(rule(6), 1);
  const double rise = population.step_of_overlap(0.8, six_energies, 10);
  EXPECT_NEAR(population.overlap(six_energies, rise), 0.8, 1e-6);
  EXPECT_EQ(population.step_of_overlap(0.8, six_energies, rise / 2), rise / 2);
  EXPECT_EQ(population.overlap(six_energies, 0), 1);
  const std::vector<double> flat(6, -3.0);
  EXPECT_EQ(population.step_of_overlap(0.8, flat, 10), 10);
}

TEST_P(PopulationControl, CountsFamilies) {
  Population population(rule(8), 1);
  EXPECT_EQ(population.families().families, 8);
  EXPECT_EQ(population.families().mean_square_size, 1);
  EXPECT_NEAR(population.families().entropic_size, 1, 1e-14);
  Population::State state = population.state();
  state.family = {2, 2, 2, 2, 5, 5, 0, 0};
  population.set_state(state);
  const FamilyStatistics found = population.families();
  EXPECT_EQ(found.families, 3);
  EXPECT_EQ(found.largest, 4);
  EXPECT_NEAR(found.mean_square_size, 8 * (0.25 + 0.0625 + 0.0625), 1e-14);
  EXPECT_NEAR(found.entropic_size, 8 / std::exp(1.5 * std::log(2.0)), 1e-13);
  EXPECT_EQ(population.families_of(std::vector<Index>{0, 1, 7}), 2);
}

TEST_P(PopulationControl, GoesOnFromItsState) {
  Population whole(rule(50), 4), resumed(rule(50), 4);
  const auto energies = [&] {
    std::vector<double> energy;
    for (Index r = 0; r < whole.size(); ++r) energy.push_back(std::sin(static_cast<double>(r * r)));
    return energy;
  };
  whole.resample(energies(), 0.7, 1);
  resumed.set_state(whole.state());
  const std::vector<double> later = energies();
  EXPECT_EQ(resumed.resample(later, 0.7, 2), whole.resample(later, 0.7, 2));
  EXPECT_EQ(resumed.state(), whole.state());
}

TEST_P(PopulationControl, AFamilyAloneHasNoError) {
  Population population(rule(20), 4);
  std::vector<double> energy(20, 0.0);
  energy[3] = -1000;
  population.resample(energy, 1, 1);
  EXPECT_EQ(population.families().families, 1);
  const Estimate ratio = population.estimate({}, [](auto, double log_ratio) { return log_ratio; });
  EXPECT_FALSE(ratio.reliable);
  const std::vector<double> ones(static_cast<std::size_t>(population.size()), 1.0);
  const Estimate one = population.estimate({ones}, [](auto means, double) { return means[0]; });
  EXPECT_EQ(one.value, 1);
  EXPECT_TRUE(std::isnan(one.error));
  EXPECT_FALSE(one.reliable);
}

INSTANTIATE_TEST_SUITE_P(Resamplings, PopulationControl,
                         testing::Values(Named<Resampling>{"nearest_integer",
                                                           Resampling::nearest_integer},
                                         Named<Resampling>{"systematic", Resampling::systematic}),
                         testing_support::by_name);

TEST(Population, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Population({1, 10}, 1), InternalError);
  EXPECT_THROW(Population({11, 10}, 1), InternalError);
  Population population({10, 12}, 1);
  Population::State state = population.state();
  state.family.resize(13);
  EXPECT_THROW(population.set_state(state), InputError);
  state.family.assign(5, 10);
  EXPECT_THROW(population.set_state(state), InputError);
  state.family.clear();
  EXPECT_THROW(population.set_state(state), InputError);
}

TEST(Population, RefusesToOutgrowItsReplicas) {
  // The population has no memory beyond its target size, but half of all steps would need more.
  Population population({100, 100}, 1);
  std::vector<double> energy;
  for (int r = 0; r < 100; ++r) energy.push_back(std::sin(r * r));
  const auto steps = [&] {
    for (std::uint64_t step = 0; step < 40; ++step) {
      energy.resize(static_cast<std::size_t>(population.size()));
      population.resample(energy, 0.5, step);
    }
  };
  EXPECT_THROW(steps(), InputError);
}

}  // namespace larmor::population_tests
