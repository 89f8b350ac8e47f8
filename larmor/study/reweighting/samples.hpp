#pragma once
// Reads the samples of results files, system by system, for reweighting.
//
// A system has one Hamiltonian: points of a scan and files that differ only in temperature, seed,
// replicas, stages and first states. Other sizes are other systems. Models without a temperature
// have a coupling instead, such as kappa of phi^4 fields. Replicas are then on a ladder of
// couplings, and runs with other couplings belong to one system.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// The choice of samples to read.
struct SampleChoice {
  std::vector<std::string> files;
  Index stage = 0;  ///< number from 1; 0: the last one with series, in each study
  std::string order = "magnetisation";   ///< series of the order parameter
  std::vector<std::string> observables;  ///< further series
};

/// The parameter of reweighting: the temperature, or a coupling b that multiplies the energy E in
/// the weight exp(-b E - ...).
struct Parameter {
  std::string name = "temperature", unit;
  std::string energy = "energy";  ///< the series of which E is made
  double k_B = 0;  ///< for temperatures, b = 1 / (k_B T); 0: the parameter is a coupling

  bool is_temperature() const { return k_B > 0; }
  double b(double value) const { return is_temperature() ? 1 / (k_B * value) : value; }
  /// "temperatures", "values of kappa"
  std::string description() const { return is_temperature() ? name + "s" : "values of " + name; }
};

/// A series that the studies measured.
struct SampledSeries {
  std::string name, unit;
};

/// An average of a state from the run itself.
struct RawAverage {
  std::string name;
  double value, error;
};

/// Samples at one temperature or coupling of one run, each [sample][replica].
struct SampledState {
  std::string source;  ///< "runs.h5, point 3"
  std::uint64_t seed = 0;
  double parameter = 0;  ///< the temperature or coupling
  double b = 0;          ///< the b of the weight exp(-b E)
  Index replicas = 1;
  std::vector<double> energy;               ///< E, of the whole system
  std::vector<std::vector<double>> series;  ///< by `Samples::series`; lengths of vectors
  std::vector<RawAverage> averages = {};
};

struct SampledSystem {
  std::map<std::string, std::string> model;  ///< keys of the Hamiltonian, with their values
  std::string name;         ///< its difference from other systems, "lattice.size = [8, 8, 8]"
  Index sites = 0;          ///< sites with a spin
  std::vector<Index> size;  ///< cells along each axis; empty: no lattice
  Index dimensions = 0;
  Index twin = 0;                    ///< number of earlier systems with as many sites
  double energy_scale = 0;           ///< E in units of the series of which it is made
  std::vector<SampledState> states;  ///< by rising parameter

  /// Cells along every axis of a lattice; 0: axes differ, or there is no lattice.
  Index edge() const {
    if (size.empty() || dimensions < 1) return 0;
    for (Index axis = 1; axis < dimensions; ++axis)
      if (size[static_cast<std::size_t>(axis)] != size[0]) return 0;
    return size[0];
  }
};

struct Samples {
  std::string title;  ///< that of the first study
  std::string units;  ///< "reduced" or "material"
  Parameter parameter;
  std::string energy_unit;
  std::string susceptibility_unit;
  double susceptibility_factor = 1;   ///< factor from unit^2 / energy to that unit
  std::vector<SampledSeries> series;  ///< the order parameter, then further ones
  /// The index of S(k) at the smallest k, the mean of the axes; 0: none.
  std::size_t structure_factor = 0;
  /// The index of the series from which averages of the exponent of the weight follow, per site; 0:
  /// none. The exponent itself depends on the coupling, so the series is without b E / N.
  std::size_t exponent = 0;
  std::vector<SampledSystem> systems;  ///< by rising number of sites
};

/// @throws InputError for files without the needed series, with different model kinds or units,
/// with repeated samples, or with disorder that differs between replicas
Samples read_samples(const SampleChoice& choice);

}  // namespace larmor::study
