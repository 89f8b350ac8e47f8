#pragma once
// Thermal averages of one temperature, from the series of all replicas.

#include <string>
#include <vector>

#include "larmor/core/statistics.hpp"
#include "larmor/core/vec3.hpp"

namespace larmor::study {

/// Samples of one temperature, each [sample][replica].
struct ThermalSeries {
  Index replicas = 1;
  std::vector<double> energy;                                             ///< per site
  std::vector<double> magnetisation_x, magnetisation_y, magnetisation_z;  ///< per site
  std::vector<std::vector<double>> term_energy;  ///< one series a term, empty if not measured

  Index samples() const { return static_cast<Index>(energy.size()) / replicas; }
  void add(const std::vector<double>& energies, const std::vector<Vec3<double>>& magnetisation);
  void clear();
};

struct NamedEstimate {
  std::string name;
  std::string unit;
  Estimate estimate;
};

/// Units of the averages, and what fluctuations are divided by.
struct ThermalUnits {
  double thermal_energy;         ///< k_B T in the energy unit
  double susceptibility_factor;  ///< from moment^2 / energy to the unit reported
  Index sites;
  std::string energy, moment, susceptibility;
};

/// energy e, magnetisation <|m|>, its components, specific_heat N (<e^2> - <e>^2) / (k_B T)^2 in
/// k_B a site, susceptibility N (<m^2> - <|m|>^2) / k_B T, and binder_cumulant 1 - <m^4> / (3
/// <m^2>^2).
std::vector<NamedEstimate> thermal_averages(const ThermalSeries& series, const ThermalUnits& units,
                                            const std::vector<std::string>& term_names);

}  // namespace larmor::study
