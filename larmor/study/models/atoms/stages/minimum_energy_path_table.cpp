#include "larmor/study/models/atoms/stages/minimum_energy_path_table.hpp"

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

FieldTable<AtomLifetimeTable> AtomLifetimeTable::fields() {
  using Table = AtomLifetimeTable;
  return FieldTable<Table>()
      .required("temperature", &Table::temperature, Dimension::temperature,
                "temperatures of rates and lifetimes: a number, a list, or { from, to, factor | "
                "step | points }")
      .with_child<TemperatureRange>()
      .optional("equivalent_saddles", &Table::equivalent_saddles, Dimension::none,
                "number of saddles of equal height around each end, by symmetry: rates are sums "
                "over all these saddles")
      .at_least(1);
}

FieldTable<AtomPathTable> AtomPathTable::fields() {
  using Table = AtomPathTable;
  return FieldTable<Table>()
      .required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name})
      .required("final", &Table::final_structure, Dimension::none,
                "the final structure, with the keys of [structure]. It has the same box and the "
                "same atoms in the same order")
      .optional("through", &Table::through, Dimension::none,
                "structures through which the first guess of the path goes")
      .optional("images", &Table::images, Dimension::none,
                "number of structures along the path, including both ends")
      .at_least(3)
      .at_most(10000)
      .optional("relax", &Table::relax, Dimension::none,
                "if true, first minimises the energy of both ends")
      .optional("climb", &Table::climb, Dimension::none,
                "if true, the highest image climbs to the saddle")
      .optional("refine", &Table::refine, Dimension::none,
                "if true, Newton's method moves the climbing image to the saddle and finds its "
                "modes. This takes six evaluations of the structure for each atom, once or more")
      .optional("spring_ratio", &Table::spring_ratio, Dimension::none,
                "ratio of the stiffness of springs at the highest image to the stiffness at the "
                "ends. A larger ratio draws images to the saddle")
      .at_least(1)
      .optional(
          "tolerance", &Table::tolerance, Dimension::force,
          "largest force on an atom of the climbing image at convergence; on other images "
          "the force may be ten times as large. If no image climbs, this is the limit for all "
          "images")
      .positive()
      .optional("steps", &Table::steps, Dimension::none,
                "maximum number of steps, for the ends and for the path; each step evaluates all "
                "images once")
      .at_least(1)
      .at_most(most_steps)
      .optional("max_step", &Table::max_step, Dimension::length,
                "longest displacement of an atom in a step")
      .positive()
      .optional("interpolation", &Table::interpolation, Dimension::none,
                "points of the interpolated energy between neighbouring images")
      .at_least(1)
      .at_most(1000)
      .optional("measure_every", &Table::measure_every, Dimension::none,
                "steps between entries of the series of barrier and largest force")
      .at_least(1)
      .optional("lifetime", &Table::lifetime, Dimension::none,
                "rates and lifetimes of both ends by harmonic transition-state theory");
}

void AtomPathTable::check_keys() const {
  if (lifetime && !climb)
    throw InputError("lifetime needs the saddle, and no image climbs to it", lifetime->where,
                     "set climb = true");
  if (lifetime && !refine)
    throw InputError("lifetime needs the modes of the saddle, and refine = false", lifetime->where,
                     "set refine = true");
}

}  // namespace larmor::study
