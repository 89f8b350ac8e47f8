#include "larmor/study/models/atoms/stages/minimise_table.hpp"

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

FieldTable<AtomMinimiseTable> AtomMinimiseTable::fields() {
  using Table = AtomMinimiseTable;
  return FieldTable<Table>()
      .required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name})
      .optional("method", &Table::method, Dimension::none, "method of the minimisation")
      .one_of({"lbfgs", "fire"},
              {"quasi-Newton steps (L-BFGS): fewest evaluations",
               "dynamics that stops when it runs uphill (FIRE 2.0): robust far from a minimum"})
      .optional("tolerance", &Table::tolerance, Dimension::force,
                "a replica has converged if no force on an atom is larger")
      .positive()
      .optional("energy_tolerance", &Table::energy_tolerance, Dimension::energy,
                "a replica has also converged if a step changes the energy or enthalpy per atom by "
                "less. If 0, only forces decide")
      .at_least(0)
      .optional("steps", &Table::steps, Dimension::none,
                "maximum number of steps; each step evaluates all forces once")
      .at_least(1)
      .at_most(most_steps)
      .optional("max_step", &Table::max_step, Dimension::length,
                "longest displacement of an atom in a step")
      .positive()
      .optional("relax_box", &Table::relax_box, Dimension::none,
                "ways in which the box may change. Any change needs a box that is periodic in all "
                "directions")
      .one_of({"none", "isotropic", "anisotropic", "triclinic"},
              {"the box is fixed", "as a whole", "along x, y and z, each independently",
               "lengths and also its angles"})
      .optional("pressure", &Table::pressure, Dimension::pressure,
                "target for the pressure of a box that changes. The default is 0")
      .optional("pressure_tolerance", &Table::pressure_tolerance, Dimension::pressure,
                "a box has converged if no component of its pressure differs from `pressure` by "
                "more. The default is 0.001 GPa")
      .positive()
      .optional("measure_every", &Table::measure_every, Dimension::none,
                "steps between entries of the series")
      .at_least(1)
      .optional("keep_configurations", &Table::keep_configurations, Dimension::none,
                "number of replicas whose configuration is stored")
      .at_least(0);
}

std::optional<atoms::CellShape> AtomMinimiseTable::cell_shape() const {
  if (relax_box == "none") return std::nullopt;
  if (relax_box == "triclinic") return atoms::CellShape::triclinic;
  return relax_box == "anisotropic" ? atoms::CellShape::anisotropic : atoms::CellShape::isotropic;
}

void AtomMinimiseTable::check_keys() const {
  if (cell_shape()) return;
  for (const auto& [key, given] : {std::pair("pressure", pressure.has_value()),
                                   {"pressure_tolerance", pressure_tolerance.has_value()}})
    if (given)
      throw InputError(std::string("minimise has ") + key + ", and the box is fixed", where.of(key),
                       "give relax_box = \"isotropic\", for instance");
}

}  // namespace larmor::study
