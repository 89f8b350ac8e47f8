#pragma once
// Thermal averages of one temperature, from the series of all replicas.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// Samples of one temperature, each [sample][replica].
struct ThermalSeries {
  Index replicas = 1;
  std::vector<double> energy;              ///< per site
  std::vector<std::vector<double>> order;  ///< one for each component of the order parameter, per
                                           ///< site

  Index samples() const { return static_cast<Index>(energy.size()) / replicas; }
  /// @param energies [replicas]; @param of_order [replicas, components]
  void add(const std::vector<double>& energies, const std::vector<double>& of_order);
  void clear();
};

/// "magnetisation_x": a component of an order parameter.
std::string component_name(const OrderParameter& order, std::size_t component);

struct NamedEstimate {
  std::string name;
  std::string unit;
  Estimate estimate;
};

/// Units of the averages, and divisors of fluctuations.
struct ThermalUnits {
  double thermal_energy;  ///< k_B T in the energy unit
  Index sites;            ///< number that move
  Index of_sample;        ///< replicas that share a disorder sample; 0: all replicas are equivalent
  std::string energy;
};

/// The replicas of a series at one rung of a ladder.
ThermalSeries at_rung(ThermalSeries series, Index rung, Index rungs);

/// The rule by which columns [sample][replica] are averaged.
struct Averaging {
  using Columns = std::vector<std::span<const double>>;
  std::function<Estimate(std::span<const double>)> mean;
  /// For fluctuations in time, and for other functions of means.
  std::function<Estimate(const Columns&, const DerivedQuantity&)> fluctuation, of_means;
};

/// The rule for replicas that are sampled in time. @param of_sample as in ThermalUnits
Averaging averaging_in_time(Index replicas, Index of_sample);

/// The moments for fluctuations. Each has numbers [sample][replica], or means over equally many
/// samples.
struct ThermalMoments {
  std::vector<double> e, e2;  ///< energy per site, relative to a near constant
  std::vector<double> m, m2, m4;
};

/// specific_heat, susceptibility and binder_cumulant, as in `thermal_averages`.
std::vector<NamedEstimate> thermal_fluctuations(const ThermalMoments& moments, Index replicas,
                                                const OrderParameter& order,
                                                const EnergyName& energy,
                                                const ThermalUnits& units);
/// The fluctuations by the rules of an Averaging. `units.of_sample` is ignored.
std::vector<NamedEstimate> thermal_fluctuations(const ThermalMoments& moments,
                                                const OrderParameter& order,
                                                const EnergyName& energy, const ThermalUnits& units,
                                                const Averaging& rules);

/// With N the number of sites that move and m the order parameter: energy e; <|m|> by the name of
/// m; its components; specific_heat N (<e^2> - <e>^2) / (k_B T)^2 in k_B per site; susceptibility N
/// (<m^2> - <|m|>^2) / k_B T; and binder_cumulant 1 - <m^4> / (3 <m^2>^2).
std::vector<NamedEstimate> thermal_averages(ThermalSeries series, const OrderParameter& order,
                                            const EnergyName& energy, const ThermalUnits& units);
/// The averages by the rules of an Averaging. `units.of_sample` is ignored.
std::vector<NamedEstimate> thermal_averages(ThermalSeries series, const OrderParameter& order,
                                            const EnergyName& energy, const ThermalUnits& units,
                                            const Averaging& rules);

}  // namespace larmor::study
