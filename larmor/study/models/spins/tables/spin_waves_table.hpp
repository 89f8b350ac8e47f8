#pragma once
// The table of a spin-waves stage.

#include "larmor/study/models/spins/tables/landscape_tables.hpp"
#include "larmor/study/models/spins/tables/wave_vectors.hpp"

namespace larmor::study {

/// `map = { width = 0.1 }`
struct SpectrumMapTable {
  static constexpr const char* name = "map";
  double width = 0;
  std::string line = "gaussian";
  std::optional<double> to;
  Index points = 300;
  TablePosition where;

  static FieldTable<SpectrumMapTable> fields();
};

/// `density_of_states = { grid = [50, 50] }`
struct DensityOfStatesTable {
  static constexpr const char* name = "density_of_states";
  std::vector<Index> grid;
  Index bins = 200;
  std::optional<double> width;
  TablePosition where;

  static FieldTable<DensityOfStatesTable> fields();
};

struct SpinWavesTable : WaveVectorKeys {
  static constexpr const char* name = "spin-waves";
  static constexpr const char* doc =
      "linear spin-wave theory of the present spins of the first replica, or of ground_state: "
      "frequencies, intensities, density of states, stiffness";
  /// Default of the largest torque in units of the largest |dH/de|.
  static constexpr double stationary_share = 1e-6;
  std::string kind = name;
  std::optional<NamedState<ground_state_key>> ground_state;
  std::vector<Index> magnetic_cell;
  double cell_tolerance = 1e-5;
  std::optional<double> tolerance;
  std::string statistics = "classical";
  std::optional<double> temperature;
  std::optional<SpectrumMapTable> map;
  std::optional<DensityOfStatesTable> density_of_states;
  bool stiffness = true;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<SpinWavesTable> fields();
};

}  // namespace larmor::study
