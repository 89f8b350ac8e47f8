#include "larmor/study/models/spins/tables/spin_waves_table.hpp"

namespace larmor::study {

FieldTable<SpectrumMapTable> SpectrumMapTable::fields() {
  using Table = SpectrumMapTable;
  return FieldTable<Table>()
      .required("width", &Table::width, Dimension::energy,
                "hbar times the full width at half maximum of a line")
      .positive()
      .optional("line", &Table::line, Dimension::none, "shape of a line")
      .one_of({"gaussian", "lorentzian"})
      .optional("to", &Table::to, Dimension::energy,
                "hbar times the highest frequency. The default is 1.2 times the highest frequency "
                "of the spin waves")
      .positive()
      .optional("points", &Table::points, Dimension::none,
                "number of frequencies on either side of zero")
      .at_least(1)
      .at_most(100000);
}

FieldTable<DensityOfStatesTable> DensityOfStatesTable::fields() {
  using Table = DensityOfStatesTable;
  return FieldTable<Table>()
      .required("grid", &Table::grid, Dimension::none,
                "wave vectors along each reciprocal-lattice vector")
      .at_least(1)
      .at_most(10000)
      .not_empty()
      .optional("bins", &Table::bins, Dimension::none, "number of bins of equal width, from 0")
      .at_least(1)
      .at_most(100000)
      .optional("width", &Table::width, Dimension::energy,
                "hbar times the full width at half maximum of the Gaussian that smears bins. If "
                "left out, the bins are not smeared")
      .positive();
}

FieldTable<SpinWavesTable> SpinWavesTable::fields() {
  using Table = SpinWavesTable;
  FieldTable<Table> table;
  table.required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name});
  return add_wave_vector_fields(table)
      .optional(
          "ground_state", &Table::ground_state, Dimension::none,
          "the state from which deviations are counted, with the keys of [initial]. The default is "
          "the present state of the first replica, which the stage does not change")
      .optional("magnetic_cell", &Table::magnetic_cell, Dimension::none,
                "number of cells after which the state repeats, along each lattice vector. If left "
                "out, the stage finds the smallest cell of any shape")
      .at_least(1)
      .optional("cell_tolerance", &Table::cell_tolerance, Dimension::none,
                "largest difference of spins that count as equal")
      .positive()
      .optional("tolerance", &Table::tolerance, Dimension::energy,
                "largest torque |e x dH/de| of a stationary state. The default is 1e-6 of the "
                "largest |dH/de| that the couplings allow")
      .positive()
      .optional("statistics", &Table::statistics, Dimension::none,
                "mean energy of a mode: k_B T for classical, the mean energy of bosons for quantum")
      .one_of({"classical", "quantum"})
      .optional("temperature", &Table::temperature, Dimension::temperature,
                "temperature of the intensities. If left out, classical intensities have k_B T = 1 "
                "in units of energy, and quantum intensities have T = 0")
      .at_least(0)
      .optional("map", &Table::map, Dimension::none,
                "S(q,w) with lines of finite width, at all wave vectors")
      .optional("density_of_states", &Table::density_of_states, Dimension::none,
                "density of states on a grid of wave vectors")
      .optional("stiffness", &Table::stiffness, Dimension::none,
                "gap of the softest branch, and its stiffness or velocity at long waves")
      .optional("keep_configurations", &Table::keep_configurations, Dimension::none,
                "number of replicas whose configuration is stored")
      .at_least(0);
}

}  // namespace larmor::study
