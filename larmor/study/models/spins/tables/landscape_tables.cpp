#include "larmor/study/models/spins/tables/landscape_tables.hpp"

namespace larmor::study {

FieldTable<FieldRange> FieldRange::fields() {
  return FieldTable<FieldRange>()
      .required("from", &FieldRange::from, Dimension::magnetic_field, "first field")
      .required("to", &FieldRange::to, Dimension::magnetic_field, "last field")
      .optional("points", &FieldRange::points, Dimension::none, "this many fields, evenly spaced")
      .at_least(2)
      .at_most(1000000)
      .optional("step", &FieldRange::step, Dimension::magnetic_field,
                "each field differs from the one before by this")
      .positive();
}

FieldTable<HysteresisTable> HysteresisTable::fields() {
  FieldTable<HysteresisTable> table;
  table.required("kind", &HysteresisTable::kind, Dimension::none, "what the stage does")
      .one_of({name})
      .optional("direction", &HysteresisTable::direction, Dimension::none,
                "of the field; normalised")
      .not_zero()
      .required("field", &HysteresisTable::field, Dimension::magnetic_field,
                "strengths along direction, on top of the fields of the Hamiltonian: a list, or "
                "{ from, to, points | step }")
      .may_be<FieldRange>()
      .optional("loop", &HysteresisTable::loop, Dimension::none,
                "go back through the same fields afterwards");
  add_minimiser_fields(table, "1e-10",
                       "most steps at a field; one is an evaluation of energy and fields")
      .optional("perturbation", &HysteresisTable::perturbation, Dimension::angle,
                "at every field each spin first turns by up to this, at random: off a maximum")
      .at_least(0)
      .optional("trajectory", &HysteresisTable::trajectory, Dimension::none,
                "store the configurations at every field")
      .optional("keep_configurations", &HysteresisTable::keep_configurations, Dimension::none,
                "replicas whose configuration is stored")
      .at_least(0);
  return table;
}

FieldTable<MinimumEnergyPathTable> MinimumEnergyPathTable::fields() {
  using Table = MinimumEnergyPathTable;
  return FieldTable<Table>()
      .required("kind", &Table::kind, Dimension::none, "what the stage does")
      .one_of({name})
      .required("final", &Table::final_state, Dimension::none,
                "the state at the end, with the keys of [initial]")
      .optional("through", &Table::through, Dimension::none,
                "states that the first guess of the path goes through")
      .optional("images", &Table::images, Dimension::none,
                "states along the path, both ends included")
      .at_least(3)
      .at_most(10000)
      .optional("first_images", &Table::first_images, Dimension::none,
                "relax a path of so few images first, roughly; the others come between them")
      .at_least(3)
      .optional("max_distance", &Table::max_distance, Dimension::angle,
                "where images that have relaxed are further apart, along the path, others come "
                "between them")
      .positive()
      .optional("max_images", &Table::max_images, Dimension::none,
                "most images that max_distance may make; 101, or images if these are more, if left "
                "out")
      .at_least(3)
      .at_most(10000)
      .optional("relax", &Table::relax, Dimension::none,
                "relax both ends to minima first; one that is stationary but no minimum is left")
      .optional("climb", &Table::climb, Dimension::none,
                "let the highest image climb to the saddle")
      .optional("method", &Table::method, Dimension::none,
                "how images move; velocity-projection: damped dynamics of each; lbfgs: near the "
                "path a quasi-Newton method of all of them, which needs fewer steps")
      .one_of({"velocity-projection", "lbfgs"})
      .optional("spring_ratio", &Table::spring_ratio, Dimension::none,
                "how much stiffer springs between images are at the highest one than at the "
                "ends, which draws images to the saddle; 1: equal distances on either side of "
                "the climbing image, as in the string method")
      .at_least(1)
      .optional("axis", &Table::axis, Dimension::none,
                "about which spins turn that have to turn by 180 degrees")
      .not_zero()
      .optional("perturbation", &Table::perturbation, Dimension::angle,
                "spins of the first guess turn by up to this, at random and in all images alike, "
                "so that a path of too high a symmetry can be left")
      .at_least(0)
      .optional("tolerance", &Table::tolerance, Dimension::energy,
                "converged once no force on the climbing image is larger, nor any across the path "
                "ten times larger; without a climbing image, none across the path; 1e-6 of the "
                "largest |dH/de| if left out")
      .positive()
      .optional("steps", &Table::steps, Dimension::none,
                "most steps, of the ends and of the path; one is an evaluation of all images")
      .at_least(1)
      .at_most(most_steps)
      .optional("max_rotation", &Table::max_rotation, Dimension::angle,
                "largest turn of a spin in a step")
      .positive()
      .optional("interpolation", &Table::interpolation, Dimension::none,
                "points of the interpolated energy from one image to the next")
      .at_least(1)
      .at_most(1000)
      .optional("measure_every", &Table::measure_every, Dimension::none,
                "steps between entries of the series of barrier and largest force")
      .at_least(1)
      .optional("lifetime", &Table::lifetime, Dimension::none,
                "rates and lifetimes of both ends by harmonic transition-state theory");
}

}  // namespace larmor::study
