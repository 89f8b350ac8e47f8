// Disorder that each replica draws independently. Each replica is the system with its own couplings
// and fields, and averages are over replicas.
// Rooms: lattice, spins, study

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/lattice/quenched_disorder.hpp"
#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/sampling/thermal_averages.hpp"
#include "test_system.hpp"

namespace larmor::replica_disorder_tests {

using namespace larmor::spins;
using testing_support::fields_of;
using testing_support::HostVectors;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.17e", x);
  return text;
}

/// A ring of `sites` sites with the couplings and random fields of one replica, listed one by one.
std::string ring_of_replica(Index sites, Index replica) {
  std::string text = "[lattice]\ntype='chain'\nsize=[" + std::to_string(sites) + "]\n";
  for (Index i = 0; i < sites; ++i) {
    const Index j = (i + 1) % sites;
    text += "[[exchange]]\npairs=[[" + std::to_string(i) + "," + std::to_string(j) +
            "]]\nJ=" + number(0.3 + 0.8 * lattice::pair_deviate(4, i, j, replica)) + "\n";
    const Vec3<double> B = 0.5 * lattice::site_deviates(7, i, replica);
    text += "[[local-field]]\nsites=[" + std::to_string(i) + "]\nB=[" + number(B.x) + "," +
            number(B.y) + "," + number(B.z) + "]\n";
  }
  return text;
}

const std::string disordered_ring =
    "[lattice]\ntype='chain'\nsize=[12]\n"
    "[[exchange]]\nshell=1\nJ=0.3\ndisorder=0.8\ndisorder_seed=4\ndisorder_by_replica=true\n"
    "[[random-field]]\nwidth=0.5\nseed=7\nby_replica=true\n";

TEST(ReplicaDisorder, ReplicasOfASampleHaveItsCouplingsAndFields) {
  TestSystem copies("samples=3\n" + disordered_ring, 12), one_each(disordered_ring, 3);
  one_each.state.randomise(2);
  const std::vector<Vec3<double>> spins = one_each.state.configuration(0);
  copies.state.set_all(spins);
  one_each.state.set_all(spins);
  const auto of_copies = energy_per_site(copies.model, copies.state),
             of_samples = energy_per_site(one_each.model, one_each.state);
  for (std::size_t r = 0; r < 12; ++r) EXPECT_EQ(of_copies[r], of_samples[r / 4]);
  EXPECT_NE(of_samples[0], of_samples[1]);
}

TEST(ReplicaDisorder, ErrorsAreTheScatterOfSamplesNotOfTheirCopies) {
  // The copies of a sample have its value. If there are twice as many copies, they add no
  // information.
  std::vector<double> once, twice;
  for (int sample = 0; sample < 30; ++sample) {
    const double value = std::sin(static_cast<double>(sample * sample));
    once.push_back(value);
    twice.insert(twice.end(), {value, value});
  }
  const Estimate of_samples = study::disorder_mean(once, 30, 1);
  const Estimate of_copies = study::disorder_mean(twice, 60, 2);
  EXPECT_DOUBLE_EQ(of_copies.value, of_samples.value);
  EXPECT_DOUBLE_EQ(of_copies.error, of_samples.error);
}

TEST(ReplicaDisorder, EveryReplicaIsTheSystemOfItsOwnCouplings) {
  constexpr Index replicas = 11;
  TestSystem all(disordered_ring, replicas);
  all.state.randomise(2);
  const auto energy = energy_per_site(all.model, all.state);
  const HostVectors field = fields_of(all.model, all.state);
  const VectorView& h = field.view;
  for (Index r = 0; r < replicas; ++r) {
    TestSystem one(ring_of_replica(12, r));
    one.state.set_all(all.state.configuration(r));
    EXPECT_NEAR(energy[static_cast<std::size_t>(r)], energy_per_site(one.model, one.state)[0],
                1e-13);
    const HostVectors own = fields_of(one.model, one.state);
    const VectorView& g = own.view;
    for (Index p = 0; p < 12; ++p) {
      Index q = 0;  // the storage position of this site in the other system
      while (one.model.canonical()[static_cast<std::size_t>(q)] !=
             all.model.canonical()[static_cast<std::size_t>(p)])
        ++q;
      EXPECT_LT(length(h.load(ScalarSlot<>{p, r}) - g.load(ScalarSlot<>{q, 0})), 1e-13);
    }
  }
}

TEST(ReplicaDisorder, AReplicaMovesAsTheSystemOfItsOwnCouplings) {
  TestSystem all(disordered_ring, 11), one(ring_of_replica(12, 9));
  all.state.randomise(2);
  one.state.set_all(all.state.configuration(9));
  all.integrator(Scheme::rk4, 0.02, 0.1).run(all.state, 200);
  one.integrator(Scheme::rk4, 0.02, 0.1).run(one.state, 200);
  const auto e = all.state.configuration(9), f = one.state.configuration(0);
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_LT(length(e[i] - f[i]), 1e-11);
}

TEST(ReplicaDisorder, ASingleReplicaHasTheDisorderOfTheFirst) {
  TestSystem several(disordered_ring, 3), one(disordered_ring, 1);
  several.state.randomise(2);
  one.state.set_all(several.state.configuration(0));
  EXPECT_FALSE(one.model.differs_by_replica());
  EXPECT_NEAR(energy_per_site(one.model, one.state)[0],
              energy_per_site(several.model, several.state)[0], 1e-13);
  EXPECT_NEAR(term_energy_per_site(one.model, 1, one.state)[0],
              term_energy_per_site(several.model, 1, several.state)[0], 1e-13);
}

TEST(ReplicaDisorder, CouplingsOfReplicasAreIndependentNormalDeviates) {
  constexpr Index replicas = 2000;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=0.3\ndisorder=0.8\ndisorder_by_replica=true\n",
      replicas);
  std::vector<double> deviate, squared, product;
  for (const double e : energy_per_site(system.model, system.state))
    deviate.push_back((-2 * e - 0.3) / 0.8);
  for (std::size_t r = 0; r < deviate.size(); ++r) {
    squared.push_back(deviate[r] * deviate[r]);
    product.push_back(deviate[r] * deviate[(r + 1) % deviate.size()]);
  }
  const auto sigmas = [](const std::vector<double>& x, double mean, double deviation) {
    double sum = 0;
    for (const double v : x) sum += v - mean;
    return std::abs(sum) / (deviation * std::sqrt(static_cast<double>(x.size())));
  };
  EXPECT_LT(sigmas(deviate, 0, 1), sigmas_of_alpha);
  EXPECT_LT(sigmas(squared, 1, std::sqrt(2.0)), sigmas_of_alpha);
  EXPECT_LT(sigmas(product, 0, 1), sigmas_of_alpha);
}

TEST(ReplicaDisorder, BimodalCouplingsHaveSignsOfTheirOwn) {
  constexpr Index replicas = 2000;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=0.3\n"
      "disorder=0.8\ndisorder_distribution='bimodal'\ndisorder_by_replica=true\n",
      replicas);
  double sum = 0;
  Index replica = 0;
  for (const double e : energy_per_site(system.model, system.state)) {
    const double sign = std::copysign(1.0, lattice::pair_deviate(1, 0, 1, replica++));
    EXPECT_NEAR((-2 * e - 0.3) / 0.8, sign, 1e-12);
    sum += sign;
  }
  EXPECT_LT(std::abs(sum) / std::sqrt(double(replicas)), sigmas_of_alpha);
}

TEST(ReplicaDisorder, BoundsTheFieldOfEveryReplica) {
  TestSystem system(disordered_ring, 19);
  double largest = 0;
  for (int seed = 1; seed < 50; ++seed) {
    system.state.randomise(static_cast<std::uint64_t>(seed));
    const HostVectors field = fields_of(system.model, system.state);
    const VectorView& h = field.view;
    for (Index r = 0; r < 19; ++r)
      for (Index p = 0; p < 12; ++p)
        largest = std::max(largest, length(h.load(ScalarSlot<>{p, r})));
  }
  EXPECT_LT(largest, system.model.largest_field());
  EXPECT_GT(3 * largest, system.model.largest_field());
}

/// Pairs of spins at T = 0.5. Each of 32 replicas has another coupling.
struct SampledPairs {
  static constexpr Index replicas = 32;
  static constexpr double temperature = 0.5;
  study::ThermalSeries series;
  std::vector<double> J;
  bool differ;

  SampledPairs() {
    TestSystem system(
        "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
        "[[exchange]]\nshell=1\nJ=0.5\ndisorder=1.2\ndisorder_by_replica=true\n",
        replicas);
    differ = system.model.differs_by_replica();
    for (const double e : energy_per_site(system.model, system.state)) J.push_back(-2 * e);
    SamplerSettings settings;
    settings.update = Update::heat_bath;
    Sampler sampler = system.sampler(settings, temperature, 5);
    system.state.randomise(1);
    sampler.run(system.state, 50);
    series.replicas = replicas;
    series.order.resize(3);
    for (int n = 0; n < 4000; ++n) {
      sampler.run(system.state, 2);
      series.add(energy_per_site(system.model, system.state),
                 magnetisation_per_site_async(system.model, system.state).take());
    }
  }
  Estimate average(const std::string& name) const {
    const study::ThermalUnits units{temperature, 2, differ, ""};
    for (const auto& a :
         study::thermal_averages(series, {"magnetisation", "", 3, 1, ""}, {}, units))
      if (a.name == name) return a.estimate;
    return {};
  }
};

TEST(ReplicaDisorder, AveragesAreThoseOfEachReplicaAndErrorsTheirScatter) {
  const SampledPairs pairs;
  double energy = 0, squares = 0, heat = 0;
  for (const double J : pairs.J) {
    const double x = J / SampledPairs::temperature;
    const double e = -J * langevin(x) / 2;
    energy += e / SampledPairs::replicas;
    squares += e * e / SampledPairs::replicas;
    heat += (1 - std::pow(x / std::sinh(x), 2)) / 2 / SampledPairs::replicas;
  }
  const double scatter = std::sqrt((squares - energy * energy) / (SampledPairs::replicas - 1));
  const Estimate e = pairs.average("energy"), c = pairs.average("specific_heat");
  // For the couplings that were drawn, averages are exact except for thermal noise. This noise is
  // far below the scatter of samples.
  EXPECT_NEAR(e.value, energy, 0.005);
  EXPECT_NEAR(e.error, scatter, 0.1 * scatter);
  EXPECT_GT(scatter, 0.03);
  // Energies scatter more between replicas than in time. Only the fluctuations in time give the
  // specific heat.
  EXPECT_NEAR(c.value, heat, 0.01);
  EXPECT_TRUE(e.reliable);
  EXPECT_TRUE(c.reliable);
}

}  // namespace larmor::replica_disorder_tests
