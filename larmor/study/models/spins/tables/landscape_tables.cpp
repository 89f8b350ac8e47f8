#include "larmor/study/models/spins/tables/landscape_tables.hpp"

#include <cmath>

namespace larmor::study {

FieldTable<FieldRange> FieldRange::fields() {
  return FieldTable<FieldRange>()
      .required("from", &FieldRange::from, Dimension::magnetic_field, "first field")
      .required("to", &FieldRange::to, Dimension::magnetic_field, "last field")
      .optional("points", &FieldRange::points, Dimension::none, "number of fields, evenly spaced")
      .at_least(2)
      .at_most(1000000)
      .optional("step", &FieldRange::step, Dimension::magnetic_field,
                "difference of each field from the one before")
      .positive();
}

FieldTable<HysteresisTable> HysteresisTable::fields() {
  FieldTable<HysteresisTable> table;
  table
      .required("kind", &HysteresisTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name})
      .optional("direction", &HysteresisTable::direction, Dimension::none,
                "direction of the field, a vector of any length except 0")
      .not_zero()
      .required("field", &HysteresisTable::field, Dimension::magnetic_field,
                "strengths of a field along `direction`, which is added to the fields of the "
                "Hamiltonian: a list, or { from, to, points | step }")
      .with_child<FieldRange>()
      .optional("loop", &HysteresisTable::loop, Dimension::none,
                "go back through the same fields afterwards");
  add_minimiser_fields(
      table, "1e-10",
      "maximum number of steps at a field; each step evaluates energy and fields once")
      .optional("perturbation", &HysteresisTable::perturbation, Dimension::angle,
                "largest random rotation of each spin at the start of every field, to leave maxima")
      .at_least(0)
      .optional("trajectory", &HysteresisTable::trajectory, Dimension::none,
                "stores the configurations at every field")
      .optional("keep_configurations", &HysteresisTable::keep_configurations, Dimension::none,
                "number of replicas whose configuration is stored")
      .at_least(0);
  return table;
}

FieldTable<MinimumEnergyPathTable> MinimumEnergyPathTable::fields() {
  using Table = MinimumEnergyPathTable;
  return FieldTable<Table>()
      .required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name})
      .required("final", &Table::final_state, Dimension::none,
                "the final state, with the keys of [initial]")
      .optional("through", &Table::through, Dimension::none,
                "states through which the first guess of the path goes")
      .optional("images", &Table::images, Dimension::none,
                "number of states along the path, including both ends")
      .at_least(3)
      .at_most(10000)
      .optional("first_images", &Table::first_images, Dimension::none,
                "number of images of a first, rough path; the other images are inserted later")
      .at_least(3)
      .optional("max_distance", &Table::max_distance, Dimension::angle,
                "largest distance of neighbouring images along the path: after convergence, images "
                "are inserted in larger gaps")
      .positive()
      .optional("max_images", &Table::max_images, Dimension::none,
                "largest number of images with max_distance. The default is 101, or `images` if "
                "`images` is larger")
      .at_least(3)
      .at_most(10000)
      .optional("relax", &Table::relax, Dimension::none,
                "if true, first minimises the energy of both ends. If an end is stationary without "
                "being a minimum, a small random turn lets it leave that state")
      .optional("climb", &Table::climb, Dimension::none,
                "if true, the highest image climbs to the saddle")
      .optional(
          "method", &Table::method, Dimension::none,
          "method that moves images; velocity-projection: damped dynamics of each image; lbfgs: "
          "near the path, a quasi-Newton method for all images, which needs fewer steps")
      .one_of({"velocity-projection", "lbfgs"})
      .optional("spring_ratio", &Table::spring_ratio, Dimension::none,
                "ratio of the stiffness of springs at the highest image to the stiffness at the "
                "ends. A larger ratio draws images to the saddle. At 1 the images on either side "
                "of the climbing image have equal distances, as in the string method")
      .at_least(1)
      .optional("axis", &Table::axis, Dimension::none,
                "axis of rotation for spins that turn by 180 degrees")
      .not_zero()
      .optional("perturbation", &Table::perturbation, Dimension::angle,
                "largest random rotation of the spins of the first guess, equal in all images, so "
                "that the path can leave a high symmetry")
      .at_least(0)
      .optional("tolerance", &Table::tolerance, Dimension::energy,
                "largest force on the climbing image at convergence; on other images the force "
                "across the path may be ten times as large. If no image climbs, this is the limit "
                "for all images. The default is 1e-6 of the largest |dH/de|")
      .positive()
      .optional("steps", &Table::steps, Dimension::none,
                "maximum number of steps, for the ends and for the path; each step evaluates all "
                "images once")
      .at_least(1)
      .at_most(most_steps)
      .optional("max_rotation", &Table::max_rotation, Dimension::angle,
                "largest rotation of a spin in a step")
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

std::vector<double> FieldRange::fields_in_order() const {
  if (points.has_value() == step.has_value())
    throw InputError("field needs exactly one of points and step", where,
                     "for instance { from = 2.0, to = -2.0, points = 81 }");
  if (from == to) return {from};
  const double count = points ? static_cast<double>(*points - 1) : std::abs(to - from) / *step;
  if (count > 1e6)
    throw InputError("field: more than a million points", where, "use a larger step");
  const auto whole = static_cast<Index>(std::ceil(count - 1e-9));
  std::vector<double> values;
  for (Index n = 0; n < whole; ++n)
    values.push_back(from + (to - from) / count * static_cast<double>(n));
  values.push_back(to);
  return values;
}

FieldTable<LifetimeTable> LifetimeTable::fields() {
  using Table = LifetimeTable;
  return FieldTable<Table>()
      .required("temperature", &Table::temperature, Dimension::temperature,
                "temperatures of rates and lifetimes: a number, a list, or { from, to, factor | "
                "step | points }")
      .with_child<TemperatureRange>()
      .optional(
          "damping", &Table::damping, Dimension::none,
          "damping alpha of the heat bath, for the rates of Langer. If left out, the rates are "
          "those of spins that precess through the saddle without a heat bath, which are larger")
      .at_least(0)
      .optional("zero_modes", &Table::zero_modes, Dimension::none,
                "treatment of modes without energy")
      .one_of({"auto", "none"},
              {"counts them by their volume, if they are translations or rotations of all spins",
               "none is expected: every mode is treated as a harmonic one"})
      .optional("zero_threshold", &Table::zero_threshold, Dimension::none,
                "largest eigenvalue of a translation without energy, in units of the mean diagonal "
                "of the Hessian")
      .positive()
      .at_most(0.1)
      .optional("equivalent_saddles", &Table::equivalent_saddles, Dimension::none,
                "number of saddles of equal height between these states, mirror images for "
                "instance: rates are sums over all these saddles. The program itself counts "
                "translated and rotated copies")
      .at_least(1);
}

}  // namespace larmor::study
