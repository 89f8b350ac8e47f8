#pragma once
// Small Ising and Potts models: averages by enumeration of all states, and the deviations of a
// study from these averages.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "study_test.hpp"

namespace larmor::testing_support {

struct CoupledPair {
  int i, j;
  double J;
};

/// A model that is small enough for enumeration.
struct SmallModel {
  int sites = 0;
  int states = 2;
  bool ising = true;
  std::vector<CoupledPair> bonds;
  double field = 0;
};

inline double energy_of(const SmallModel& model, const std::vector<int>& s) {
  const auto same = [&](int a, int b) {
    const double delta = a == b ? 1 : 0;
    return model.ising ? 2 * delta - 1 : delta;
  };
  double energy = 0;
  for (const CoupledPair& bond : model.bonds)
    energy -=
        bond.J * same(s[static_cast<std::size_t>(bond.i)], s[static_cast<std::size_t>(bond.j)]);
  for (const int state : s) energy -= model.field * same(state, 0);
  return energy;
}

inline double order_squared(const SmallModel& model, const std::vector<int>& s) {
  std::vector<double> share(static_cast<std::size_t>(model.states));
  for (const int state : s) share[static_cast<std::size_t>(state)] += 1.0 / model.sites;
  double sum = 0;
  for (const double x : share) sum += x * x;
  const double q = model.states;
  return std::max(0.0, (q * sum - 1) / (q - 1));
}

/// Averages by their names in the results.
inline std::map<std::string, double> enumerated(const SmallModel& model, double T) {
  std::vector<int> s(static_cast<std::size_t>(model.sites));
  double Z = 0, e = 0, e2 = 0, m = 0, m2 = 0, m4 = 0;
  const double zero = energy_of(model, s);
  for (bool more = true; more;) {
    const double energy = energy_of(model, s), order = order_squared(model, s);
    const double weight = std::exp(-(energy - zero) / T);
    Z += weight;
    e += weight * energy;
    e2 += weight * energy * energy;
    m += weight * std::sqrt(order);
    m2 += weight * order;
    m4 += weight * order * order;
    more = false;
    for (int& state : s) {
      state = state + 1 < model.states ? state + 1 : 0;
      if (state != 0) {
        more = true;
        break;
      }
    }
  }
  const double N = model.sites;
  e /= Z, e2 /= Z, m /= Z, m2 /= Z, m4 /= Z;
  return {{"energy", e / N},
          {"magnetisation", m},
          {"specific_heat", (e2 - e * e) / (N * T * T)},
          {"susceptibility", N * (m2 - m * m) / T},
          {"binder_cumulant", 1 - m4 / (3 * m2 * m2)}};
}

/// A periodic square or cubic lattice, with bonds along the positive axes.
inline SmallModel periodic_grid(const std::vector<int>& size, int states, bool ising) {
  SmallModel model;
  model.states = states;
  model.ising = ising;
  model.sites = 1;
  for (const int length : size) model.sites *= length;
  for (int site = 0; site < model.sites; ++site) {
    int stride = 1;
    for (const int length : size) {
      const int x = site / stride % length;
      model.bonds.push_back({site, site + stride * ((x + 1) % length - x), 1.0});
      stride *= length;
    }
  }
  return model;
}

inline constexpr std::array<const char*, 5> quantities{"energy", "magnetisation", "specific_heat",
                                                       "susceptibility", "binder_cumulant"};

class DiscreteModels : public StudyTest {
 protected:
  /// The values (measured - exact) / error for every quantity.
  /// @param exact result of `enumerated` @param keys further keys of the stage
  std::vector<double> pulls(const std::string& tables, const std::string& sampler, double T,
                            const std::map<std::string, double>& exact, int replicas = 512,
                            int sweeps = 2000, const std::string& keys = "") const {
    std::ostringstream stage;
    stage.precision(17);
    stage << "[[stage]]\nkind='monte-carlo'\ntemperature=" << T << "\nsampler='" << sampler
          << "'\nthermalisation=200\nsweeps=" << sweeps << "\nmeasure_every=2\n"
          << keys;
    const io::ResultsReader results =
        results_of("replicas=" + std::to_string(replicas) + "\nseed=11\n", tables + stage.str());
    std::vector<double> all;
    for (const char* name : quantities) {
      const std::string at = std::string("/stages/01-monte-carlo/averages/") + name;
      const double value = results.read<double>(at + "/value")[0];
      const double error = results.read<double>(at + "/error")[0];
      all.push_back((value - exact.at(name)) / error);
      EXPECT_LT(std::abs(all.back()), 4.5)
          << name << " of " << sampler << " at T = " << T << ": " << value << " +- " << error
          << ", exactly " << exact.at(name);
    }
    return all;
  }
  std::vector<double> pulls(const std::string& tables, const std::string& sampler, double T,
                            const SmallModel& model, int replicas = 512, int sweeps = 2000) const {
    return pulls(tables, sampler, T, enumerated(model, T), replicas, sweeps);
  }
};

/// Tests that deviations match the errors: they are neither larger nor smaller.
inline void expect_chi_square(const std::vector<double>& pulls) {
  double sum = 0;
  for (const double pull : pulls) sum += pull * pull;
  const auto count = static_cast<double>(pulls.size());
  EXPECT_GT(sum / count, 0.4) << "errors are too large";
  EXPECT_LT(sum / count, 1.9) << "errors are too small";
}

}  // namespace larmor::testing_support
