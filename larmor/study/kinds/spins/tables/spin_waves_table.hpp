#pragma once
// The table of a spin-waves stage.

#include "larmor/study/kinds/spins/tables/landscape_tables.hpp"
#include "larmor/study/kinds/spins/tables/wave_vectors.hpp"

namespace larmor::study {

/// `map = { width = 0.1 }`
struct SpectrumMapTable {
  static constexpr const char* name = "map";
  double width = 0;
  std::string line = "gaussian";
  std::optional<double> to;
  Index points = 300;
  TablePosition where;

  static FieldTable<SpectrumMapTable> fields() {
    using Table = SpectrumMapTable;
    return FieldTable<Table>()
        .required("width", &Table::width, Dimension::energy,
                  "hbar times the full width at half maximum of a line")
        .positive()
        .optional("line", &Table::line, Dimension::none, "shape of a line")
        .one_of({"gaussian", "lorentzian"})
        .optional("to", &Table::to, Dimension::energy,
                  "hbar times the highest frequency; 1.2 times that of the spin waves if left out")
        .positive()
        .optional("points", &Table::points, Dimension::none, "frequencies on either side of zero")
        .at_least(1)
        .at_most(100000);
  }
};

/// `density_of_states = { grid = [50, 50] }`
struct DensityOfStatesTable {
  static constexpr const char* name = "density_of_states";
  std::vector<Index> grid;
  Index bins = 200;
  std::optional<double> width;
  TablePosition where;

  static FieldTable<DensityOfStatesTable> fields() {
    using Table = DensityOfStatesTable;
    return FieldTable<Table>()
        .required("grid", &Table::grid, Dimension::none,
                  "wave vectors along each reciprocal-lattice vector")
        .at_least(1)
        .at_most(10000)
        .not_empty()
        .optional("bins", &Table::bins, Dimension::none, "of equal width, from 0 on")
        .at_least(1)
        .at_most(100000)
        .optional("width", &Table::width, Dimension::energy,
                  "hbar times the full width at half maximum of the Gaussian that bins are smeared "
                  "by; not at all if left out")
        .positive();
  }
};

struct SpinWavesTable : WaveVectorKeys {
  static constexpr const char* name = "spin-waves";
  static constexpr const char* doc =
      "linear spin-wave theory of the spins of the first replica as they are, or of ground_state: "
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

  static FieldTable<SpinWavesTable> fields() {
    using Table = SpinWavesTable;
    FieldTable<Table> table;
    table.required("kind", &Table::kind, Dimension::none, "what the stage does").one_of({name});
    return add_wave_vector_fields(table)
        .optional("ground_state", &Table::ground_state, Dimension::none,
                  "the state that deviations are counted from, with the keys of [initial]; the "
                  "spins of the first replica, which it leaves alone, if left out")
        .optional("magnetic_cell", &Table::magnetic_cell, Dimension::none,
                  "cells of the lattice after which the state repeats, along each vector; the "
                  "smallest cell, of any shape, is found if left out")
        .at_least(1)
        .optional("cell_tolerance", &Table::cell_tolerance, Dimension::none,
                  "spins that differ by less repeat")
        .positive()
        .optional("tolerance", &Table::tolerance, Dimension::energy,
                  "largest torque |e x dH/de| of a stationary state; if left out, 1e-6 of the "
                  "largest |dH/de| that the couplings allow")
        .positive()
        .optional("statistics", &Table::statistics, Dimension::none,
                  "mean energy of a mode: classical, k_B T; quantum, of bosons")
        .one_of({"classical", "quantum"})
        .optional("temperature", &Table::temperature, Dimension::temperature,
                  "of the intensities; if left out, classical ones take k_B T = 1 in units of "
                  "energy, quantum ones of T = 0")
        .at_least(0)
        .optional("map", &Table::map, Dimension::none,
                  "S(q,w) with lines of a width, at all wave vectors")
        .optional("density_of_states", &Table::density_of_states, Dimension::none,
                  "density of states on a grid of wave vectors")
        .optional("stiffness", &Table::stiffness, Dimension::none,
                  "gap of the softest branch, and its stiffness or velocity at long waves")
        .optional("keep_configurations", &Table::keep_configurations, Dimension::none,
                  "replicas whose configuration is stored")
        .at_least(0);
  }
};

}  // namespace larmor::study
