#pragma once
// Proved properties of a problem's ground states.

#include <optional>

#include "larmor/core/maths/natural_number.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::ground_states {

struct Certificate {
  double value;  ///< least H
  std::optional<NaturalNumber>
      degeneracy;  ///< states with this value; nothing: not known, because of rounding
  double gap;      ///< from `value` to the next H; infinite: no next H; NaN: not known
  State state;     ///< one of the ground states
  double seconds = 0;
  std::optional<int> width = std::nullopt;  ///< width of the elimination; nothing: an enumeration
};

}  // namespace larmor::ground_states
