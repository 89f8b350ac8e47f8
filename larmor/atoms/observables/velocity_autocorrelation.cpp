#include "larmor/atoms/observables/velocity_autocorrelation.hpp"

#include <cmath>
#include <numbers>

#include "larmor/atoms/system/replica_sums.hpp"

namespace larmor::atoms {

VelocityAutocorrelation::VelocityAutocorrelation(const AtomLayout& layout, Index types,
                                                 const LagSettings& settings, VelocityWeight weight,
                                                 CentreOfMass centre, int threads)
    : types_(types),
      weight_(weight),
      centre_(centre),
      threads_(threads),
      averages_(LaggedFunction::product, layout, types, settings, threads) {}

void VelocityAutocorrelation::add(const AtomState& state) {
  std::vector<Vec3<double>> velocities = frame_velocities(state, centre_, threads_);
  if (weight_ == VelocityWeight::none) {
    averages_.add(std::move(velocities), state.type, atoms_of_types(state, types_));
    return;
  }
  for_each_atom(state.layout, threads_, [&](Index, Index atom) {
    Vec3<double>& v = velocities[static_cast<std::size_t>(atom)];
    v = std::sqrt(state.mass(atom)) * v;
  });
  const std::vector<double> one(static_cast<std::size_t>(state.layout.replicas() * types_), 1.0);
  averages_.add(std::move(velocities), state.type, one);
}

std::vector<double> phonon_frequencies(Index lags, double interval) {
  std::vector<double> frequencies;
  for (Index k = 0; k <= lags; ++k)
    frequencies.push_back(std::numbers::pi * static_cast<double>(k) /
                          (static_cast<double>(lags) * interval));
  return frequencies;
}

std::vector<double> phonon_density(std::span<const double> correlation,
                                   std::span<const double> weight, double interval, double modes) {
  const std::size_t lags = weight.size(), types = correlation.size() / lags;
  double at_zero = 0;
  for (std::size_t a = 0; a < types; ++a) at_zero += correlation[a * lags];
  // The function cos(pi k l / L) of the lag l repeats after 2 L.
  std::vector<double> cosine;
  for (std::size_t n = 0; n < 2 * lags; ++n)
    cosine.push_back(
        std::cos(std::numbers::pi * static_cast<double>(n) / static_cast<double>(lags)));
  std::vector<double> density;
  for (std::size_t a = 0; a < types; ++a)
    for (std::size_t k = 0; k <= lags; ++k) {
      double sum = 0.5 * weight[0] * correlation[a * lags];
      for (std::size_t l = 1; l < lags; ++l)
        sum += weight[l] * correlation[a * lags + l] * cosine[k * l % (2 * lags)];
      // Atoms at rest do not vibrate.
      density.push_back(at_zero > 0 ? modes * 2 / std::numbers::pi * interval * sum / at_zero : 0);
    }
  return density;
}

BlockedMeans phonon_densities(const BlockedMeans& correlation, std::span<const double> weight,
                              double interval, std::span<const double> modes) {
  const auto lags = static_cast<Index>(weight.size());
  const Index types = correlation.numbers() / lags;
  BlockedMeans densities(correlation.replicas(), types * (lags + 1));
  const auto numbers = static_cast<std::size_t>(correlation.numbers());
  for (Index block = 0; block < correlation.blocks(); ++block) {
    std::vector<double> of_block;
    for (Index replica = 0; replica < correlation.replicas(); ++replica) {
      const std::vector<double> density =
          phonon_density(std::span(correlation.values(replica))
                             .subspan(static_cast<std::size_t>(block) * numbers, numbers),
                         weight, interval, modes[static_cast<std::size_t>(replica)]);
      of_block.insert(of_block.end(), density.begin(), density.end());
    }
    densities.add_block(of_block);
  }
  return densities;
}

}  // namespace larmor::atoms
