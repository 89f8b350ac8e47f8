#include "larmor/study/models/spins/tables/lifetime_table.hpp"

namespace larmor::study {

FieldTable<LifetimeTable> LifetimeTable::fields() {
  using Table = LifetimeTable;
  return FieldTable<Table>()
      .required("temperature", &Table::temperature, Dimension::temperature,
                "temperatures of rates and lifetimes: a number, a list, or { from, to, factor | "
                "step | points }")
      .may_be<TemperatureRange>()
      .optional("damping", &Table::damping, Dimension::none,
                "alpha of the heat bath: rates are Langer's; if left out, the larger rates of "
                "spins that precess through the saddle without a heat bath")
      .at_least(0)
      .optional("zero_modes", &Table::zero_modes, Dimension::none,
                "treatment of modes without energy")
      .one_of({"auto", "none"},
              {"by their volume, if they are translations or rotations of all spins",
               "none is expected: every mode is treated as a harmonic one"})
      .optional("zero_threshold", &Table::zero_threshold, Dimension::none,
                "largest eigenvalue of a translation without energy, in units of the mean diagonal "
                "of the Hessian")
      .positive()
      .at_most(0.1)
      .optional("equivalent_saddles", &Table::equivalent_saddles, Dimension::none,
                "number of saddles of equal height between these states, mirror images for "
                "instance: rates are sums over all of them. Translates and rotated copies are "
                "counted without this key")
      .at_least(1);
}

}  // namespace larmor::study
