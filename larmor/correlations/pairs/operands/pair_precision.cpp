#include "larmor/correlations/pairs/operands/pair_precision.hpp"

#include <string>

#include "larmor/core/error.hpp"

namespace larmor::correlations::real_space {

PairPrecision pair_precision_by_name(std::string_view name) {
  for (const auto precision :
       {PairPrecision::full, PairPrecision::tf32x3, PairPrecision::half_split})
    if (name == name_of(precision)) return precision;
  throw InputError("no precision is called \"" + std::string(name) + "\"",
                   "use double, tf32x3 or half-split");
}

const char* name_of(PairPrecision precision) {
  switch (precision) {
    case PairPrecision::full:
      return "double";
    case PairPrecision::tf32x3:
      return "tf32x3";
    case PairPrecision::half_split:
      return "half-split";
  }
  throw InternalError("unknown precision of a pair sum");
}

}  // namespace larmor::correlations::real_space
