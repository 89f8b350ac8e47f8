#include <cmath>

#include "larmor/study/models/spins/tables/landscape_tables.hpp"

namespace larmor::study {

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

}  // namespace larmor::study
