#include "larmor/study/models/atoms/stages/minimise_table.hpp"

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

FieldTable<AtomMinimiseTable> AtomMinimiseTable::fields() {
  using Table = AtomMinimiseTable;
  return FieldTable<Table>()
      .required("kind", &Table::kind, Dimension::none, "what the stage does")
      .one_of({name})
      .optional("method", &Table::method, Dimension::none, "which way leads down")
      .one_of({"lbfgs", "fire"},
              {"quasi-Newton steps (L-BFGS): fewest evaluations",
               "dynamics that is stopped where it runs uphill (FIRE 2.0): robust far from a "
               "minimum"})
      .optional("tolerance", &Table::tolerance, Dimension::force,
                "converged once the force on no atom is larger")
      .positive()
      .optional("energy_tolerance", &Table::energy_tolerance, Dimension::energy,
                "converged also once a step changes the energy or enthalpy by less, an atom; 0: "
                "forces alone decide")
      .at_least(0)
      .optional("steps", &Table::steps, Dimension::none,
                "most steps; one is an evaluation of all forces")
      .at_least(1)
      .at_most(most_steps)
      .optional("max_step", &Table::max_step, Dimension::length,
                "how far an atom may move in a step")
      .positive()
      .optional("relax_box", &Table::relax_box, Dimension::none,
                "how the box may change; it must be periodic in all directions")
      .one_of({"none", "isotropic", "anisotropic", "triclinic"},
              {"the box stays as it is", "as a whole", "along x, y and z, each by itself",
               "in its angles too"})
      .optional("pressure", &Table::pressure, Dimension::pressure,
                "of a box that relaxes; 0 if left out")
      .optional("pressure_tolerance", &Table::pressure_tolerance, Dimension::pressure,
                "a box has converged once no component of the pressure that it follows is farther "
                "from its target; 0.001 GPa if left out")
      .positive()
      .optional("measure_every", &Table::measure_every, Dimension::none,
                "steps between entries of the series")
      .at_least(1)
      .optional("keep_configurations", &Table::keep_configurations, Dimension::none,
                "replicas whose configuration is stored")
      .at_least(0);
}

std::optional<atoms::CellShape> AtomMinimiseTable::cell_shape() const {
  if (relax_box == "none") return std::nullopt;
  if (relax_box == "triclinic") return atoms::CellShape::triclinic;
  return relax_box == "anisotropic" ? atoms::CellShape::anisotropic : atoms::CellShape::isotropic;
}

void AtomMinimiseTable::require_sense() const {
  if (cell_shape()) return;
  for (const auto& [key, given] : {std::pair("pressure", pressure.has_value()),
                                   {"pressure_tolerance", pressure_tolerance.has_value()}})
    if (given)
      throw InputError(std::string("minimise has ") + key + ", and the box stays as it is",
                       where.of(key), "give relax_box = \"isotropic\", for instance");
}

}  // namespace larmor::study
