#include "larmor/study/models/spins/tables/lifetime_table.hpp"

namespace larmor::study {

FieldTable<LifetimeTable> LifetimeTable::fields() {
  using Table = LifetimeTable;
  return FieldTable<Table>()
      .required("temperature", &Table::temperature, Dimension::temperature,
                "that rates and lifetimes are given for: a temperature, a list of them, or "
                "{ from, to, factor | step | points }")
      .may_be<TemperatureRange>()
      .optional("damping", &Table::damping, Dimension::none,
                "alpha of the heat bath: rates are Langer's; if left out, those of spins that "
                "precess through the saddle without one, which are larger")
      .at_least(0)
      .optional("zero_modes", &Table::zero_modes, Dimension::none,
                "how modes that cost no energy are treated")
      .one_of({"auto", "none"},
              {"by their volume, where they are translations or rotations of all spins",
               "none is expected: every mode is treated as a harmonic one"})
      .optional("zero_threshold", &Table::zero_threshold, Dimension::none,
                "a translation costs no energy if its eigenvalue is smaller, in units of the mean "
                "diagonal of the Hessian")
      .positive()
      .at_most(0.1)
      .optional("equivalent_saddles", &Table::equivalent_saddles, Dimension::none,
                "saddles that lead the same way at the same height, mirror images for instance: "
                "rates are those over all of them. Translates and rotated copies are counted "
                "without this key")
      .at_least(1);
}

}  // namespace larmor::study
