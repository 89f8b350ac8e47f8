#include "larmor/overlaps/overlap_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "larmor/core/statistics/replicas.hpp"

namespace larmor::overlaps {

using Means = std::vector<double>;

UnitEstimate jackknife_over_units(const std::string& name, const std::vector<double>& of_units,
                                  Index numbers, const std::function<double(const Means&)>& value) {
  const Index units = std::ssize(of_units) / numbers;
  Means sums(static_cast<std::size_t>(numbers));
  for (std::size_t n = 0; n < of_units.size(); ++n)
    sums[n % static_cast<std::size_t>(numbers)] += of_units[n];
  Means means(sums.size());
  const auto value_of = [&](Index left_out) {
    const Index left = units - (left_out < 0 ? 0 : 1);
    for (std::size_t n = 0; n < sums.size(); ++n) {
      const double out =
          left_out < 0 ? 0 : of_units[static_cast<std::size_t>(left_out * numbers) + n];
      means[n] = (sums[n] - out) / static_cast<double>(left);
    }
    return value(means);
  };
  constexpr Index none = -1;
  UnitEstimate estimate{name, value_of(none), std::numeric_limits<double>::quiet_NaN()};
  if (units < 2) return estimate;
  std::vector<double> left;
  for (Index unit = 0; unit < units; ++unit) left.push_back(value_of(unit));
  estimate.error = jackknife_error(left);
  return estimate;
}

std::vector<UnitEstimate> overlap_estimates(const GlassParameters& scale,
                                            const std::vector<double>& of_units, double kT) {
  const auto axes = static_cast<Index>(scale.lengths.size());
  const Index numbers = first_wave + axes;
  std::vector<UnitEstimate> all;
  const auto add = [&](const char* name, const std::function<double(const Means&)>& value) {
    all.push_back(jackknife_over_units(name, of_units, numbers, value));
  };
  add("overlap", [](const Means& x) { return x[overlap]; });
  add("overlap_size", [](const Means& x) { return x[overlap_size]; });
  add("overlap_square", [](const Means& x) { return x[square]; });
  const auto entries = static_cast<double>(scale.components * scale.components);
  add("overlap_binder", [entries](const Means& x) {
    return (entries + 2 - entries * x[fourth] / (x[square] * x[square])) / 2;
  });
  add("link_overlap", [](const Means& x) { return x[link_overlap]; });
  add("spin_glass_susceptibility", [&](const Means& x) { return scale.spins * x[square]; });
  if (axes > 0) {
    const double L = *std::max_element(scale.lengths.begin(), scale.lengths.end());
    // chi_SG(k) is the mean over the longest waves.
    const auto at_k = [&](const Means& x) {
      double sum = 0, waves = 0;
      for (std::size_t axis = 0; axis < scale.lengths.size(); ++axis)
        if (scale.lengths[axis] == L) {
          sum += x[static_cast<std::size_t>(first_wave) + axis];
          ++waves;
        }
      return sum / waves;
    };
    const auto xi = [&](const Means& x) {
      return std::sqrt(x[square] / at_k(x) - 1) / (2 * std::sin(std::numbers::pi / L));
    };
    add("spin_glass_susceptibility_at_k", [&](const Means& x) { return scale.spins * at_k(x); });
    add("spin_glass_correlation_length", xi);
    add("correlation_length_ratio", [&](const Means& x) { return xi(x) / L; });
  }
  if (scale.has_energy) add("energy", [](const Means& x) { return x[energy]; });
  if (scale.variance)
    add("energy_from_links", [&](const Means& x) {
      return -scale.bonds_of_spin * *scale.variance / kT * (x[bond_square] - x[link_overlap]);
    });
  return all;
}

}  // namespace larmor::overlaps
