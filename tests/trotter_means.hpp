#pragma once
// Means of a simulation with slices, from independent replicas, and their distance from exact
// values.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "larmor/trotter/continuous_time.hpp"
#include "larmor/trotter/estimators.hpp"
#include "larmor/trotter/trotter_sampler.hpp"

namespace larmor::testing_support {

/// Distances from exact values in standard errors.
class Distances {
 public:
  void add(const std::string& name, double value, double error, double exact) {
    if (error < 1e-13) {
      EXPECT_NEAR(value, exact, 1e-9) << name;
      return;
    }
    const double distance = (value - exact) / error;
    sum_ += distance * distance;
    ++count_;
    if (std::abs(distance) > std::abs(largest_)) {
      largest_ = distance;
      largest_name_ = name;
    }
  }
  Index count() const { return count_; }
  double mean_square() const { return sum_ / static_cast<double>(count_); }
  double largest() const { return std::abs(largest_); }
  std::string text() const {
    return std::to_string(count_) + " values, chi^2 " + std::to_string(sum_) +
           ", largest distance " + std::to_string(largest_) + " (" + largest_name_ + ")";
  }

 private:
  double sum_ = 0, largest_ = 0;
  Index count_ = 0;
  std::string largest_name_;
};

/// Means of every replica of one instance over time; errors are from their scatter.
class ReplicaMeans {
 public:
  explicit ReplicaMeans(Index replicas) : replicas_(replicas) {}

  void add(Index replica, const std::string& name, double value) {
    std::vector<double>& sums = sums_[name];
    sums.resize(static_cast<std::size_t>(replicas_));
    sums[static_cast<std::size_t>(replica)] += value;
  }
  void count_measurement() { ++measurements_; }
  double mean(const std::string& name) const {
    double sum = 0;
    for (const double value : sums_.at(name)) sum += value;
    return sum / static_cast<double>(replicas_ * measurements_);
  }
  /// The error of sum_n slope_n <name_n>.
  double error(const std::map<std::string, double>& slopes) const {
    double square = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(replicas_); ++r) {
      double deviation = 0;
      for (const auto& [name, slope] : slopes)
        deviation += slope * (sums_.at(name)[r] / static_cast<double>(measurements_) - mean(name));
      square += deviation * deviation;
    }
    return std::sqrt(square / static_cast<double>(replicas_ * (replicas_ - 1)));
  }
  void compare(Distances& distances, const std::string& label, const std::string& name,
               double exact) const {
    distances.add(label + " " + name, mean(name), error({{name, 1}}), exact);
  }
  void compare_specific_heat(Distances& distances, const std::string& label, double beta,
                             double exact) const {
    const double E = mean("E"), C = trotter::specific_heat(beta, E, mean("E2"), mean("D"));
    const double error_of_C = beta * beta * error({{"E2", 1}, {"E", -2 * E}, {"D", 1}});
    distances.add(label + " C", C, error_of_C, exact);
  }
  void compare_binder(Distances& distances, const std::string& label, const std::string& name,
                      const std::string& square, const std::string& fourth, double exact) const {
    const double m2 = mean(square), m4 = mean(fourth);
    distances.add(label + " " + name, trotter::binder_cumulant(m2, m4),
                  error({{fourth, -1 / (3 * m2 * m2)}, {square, 2 * m4 / (3 * m2 * m2 * m2)}}),
                  exact);
  }

 private:
  Index replicas_, measurements_ = 0;
  std::map<std::string, std::vector<double>> sums_;
};

/// Adds moments and correlations in time, which need only spins at some times.
inline void measure_slices_of_lines(ReplicaMeans& means, Index replica,
                                    const trotter::SystemGraph& graph,
                                    const trotter::ReplicaSpins& spins) {
  using namespace trotter;
  const SliceSums sums = spins.sums(graph);
  const SliceMoments moments = magnetic_moments(sums);
  means.add(replica, "m2", moments.m2);
  means.add(replica, "m4", moments.m4);
  const std::vector<double> G = magnetic_correlation(sums.slice, graph.sites);
  const std::vector<std::int64_t> local = spins.local_products();
  const double M = spins.slices(), N = static_cast<double>(graph.sites);
  for (std::size_t k = 0; k < G.size(); ++k) {
    means.add(replica, "G" + std::to_string(k), G[k]);
    means.add(replica, "G_local" + std::to_string(k), static_cast<double>(local[k]) / (N * M));
  }
}

inline void add_energy(ReplicaMeans& means, Index replica, const trotter::EnergyTerms& terms,
                       const std::vector<double>& sx) {
  means.add(replica, "E", terms.energy);
  means.add(replica, "E2", terms.energy * terms.energy);
  means.add(replica, "D", terms.derivative);
  for (std::size_t i = 0; i < sx.size(); ++i) means.add(replica, "sx" + std::to_string(i), sx[i]);
}

inline void add_mean_moments(ReplicaMeans& means, Index replica, double beta, double N,
                             double mbar) {
  const double square = mbar * mbar;
  means.add(replica, "mbar2", square);
  means.add(replica, "mbar4", square * square);
  means.add(replica, "abs_mbar", std::abs(mbar));
  means.add(replica, "chi_zz", beta * N * square);
}

/// Adds all observables of a replica with slices.
inline void measure(ReplicaMeans& means, Index replica, const trotter::SystemGraph& graph,
                    const trotter::Instance& instance, const trotter::ReplicaSpins& spins,
                    bool with_pairs = false) {
  using namespace trotter;
  const SliceSums sums = spins.sums(graph);
  add_energy(means, replica, energy_terms(instance, sums), transverse_spins(instance, sums));
  add_mean_moments(means, replica, instance.beta, static_cast<double>(graph.sites),
                   magnetic_moments(sums).m);
  const double M = spins.slices();
  for (std::size_t i = 0; i < sums.site.size(); ++i)
    means.add(replica, "sz" + std::to_string(i), sums.site[i] / M);
  for (std::size_t b = 0; b < sums.bond.size(); ++b)
    means.add(replica, "bond" + std::to_string(b), sums.bond[b] / M);
  measure_slices_of_lines(means, replica, graph, spins);
  if (with_pairs)
    for (Index i = 0; i < graph.sites; ++i)
      for (Index j = 0; j < i; ++j)
        means.add(replica, "zz" + std::to_string(i) + "," + std::to_string(j), spins.pair(i, j));
}

/// Adds the observables of a replica of world lines, except for those of some times.
inline void measure_lines(ReplicaMeans& means, Index as_replica,
                          const trotter::ContinuousState& state, Index replica) {
  using namespace trotter;
  const LineSums sums = state.sums(replica);
  const Instance& instance = state.model().instance_of_replica(replica);
  add_energy(means, as_replica, energy_terms(instance, sums), transverse_spins(instance, sums));
  double m = 0;
  const double N = static_cast<double>(sums.site.size());
  for (std::size_t i = 0; i < sums.site.size(); ++i) {
    means.add(as_replica, "sz" + std::to_string(i), sums.site[i]);
    m += sums.site[i] / N;
  }
  add_mean_moments(means, as_replica, instance.beta, N, m);
  for (std::size_t b = 0; b < sums.bond.size(); ++b)
    means.add(as_replica, "bond" + std::to_string(b), sums.bond[b]);
  for (Index i = 0; i < state.model().sites(); ++i)
    for (Index j = 0; j < i; ++j)
      means.add(as_replica, "zz" + std::to_string(i) + "," + std::to_string(j),
                state.pair(replica, i, j));
}

}  // namespace larmor::testing_support
