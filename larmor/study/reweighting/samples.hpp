#pragma once
// The samples that results files hold, system by system: what reweighting is made of.
//
// A system is what has one Hamiltonian: points of a scan and files that differ in nothing but
// temperature, seed, replicas, stages and first states. Those of other sizes are other systems.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// What is to be read.
struct SampleChoice {
  std::vector<std::string> files;
  Index stage = 0;  ///< number from 1; 0: the last one of each study that has series
  std::string order = "magnetisation";   ///< series of the order parameter
  std::vector<std::string> observables;  ///< further series
};

/// A series that the studies measured.
struct SampledSeries {
  std::string name, unit;
};

/// Samples at one temperature of one run, each [sample][replica].
struct SampledState {
  std::string source;  ///< "runs.h5, point 3"
  std::uint64_t seed = 0;
  double temperature = 0;
  double b = 0;  ///< 1 / (k_B T), what the weight exp(-b E) has
  Index replicas = 1;
  std::vector<double> energy;               ///< of the whole system
  std::vector<std::vector<double>> series;  ///< by `Samples::series`; of vectors their lengths
};

struct SampledSystem {
  std::map<std::string, std::string> model;  ///< keys that make the Hamiltonian, with their values
  std::string name;         ///< in what it differs from the others, "lattice.size = [8, 8, 8]"
  Index sites = 0;          ///< that have a spin
  std::vector<Index> size;  ///< cells along each axis; empty: no lattice
  Index dimensions = 0;
  Index twin = 0;                    ///< how many systems of as many sites come before it
  std::vector<SampledState> states;  ///< by rising temperature

  /// Cells along every axis that a lattice has; 0: they differ, or there is no lattice.
  Index edge() const {
    if (size.empty() || dimensions < 1) return 0;
    for (Index axis = 1; axis < dimensions; ++axis)
      if (size[static_cast<std::size_t>(axis)] != size[0]) return 0;
    return size[0];
  }
};

struct Samples {
  std::string title;  ///< of the first study
  std::string units;  ///< "reduced" or "material"
  std::string temperature_unit, energy_unit;
  std::string susceptibility_unit;
  double susceptibility_factor = 1;   ///< from unit^2 / energy to that unit
  std::vector<SampledSeries> series;  ///< the order parameter, then further ones
  /// Which of them is S(k) at the smallest k, the mean of the axes; 0: none is.
  std::size_t structure_factor = 0;
  std::vector<SampledSystem> systems;  ///< by rising number of sites
};

/// @throws InputError for files without the series that are needed, of different kinds of matter
/// or units, with the same samples twice, or with disorder that differs from replica to replica
Samples read_samples(const SampleChoice& choice);

}  // namespace larmor::study
