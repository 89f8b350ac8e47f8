#pragma once
// Proved properties of a problem's ground states.

#include <optional>

#include "larmor/core/maths/natural_number.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::ground_states {

struct Certificate {
  double value;  ///< least H
  /// Number of states with this value; empty if rounding makes it uncertain.
  std::optional<NaturalNumber> degeneracy;
  double gap;   ///< from `value` to the next higher H; infinite if none exists, NaN if not known
  State state;  ///< one of the ground states
  double seconds = 0;
  std::optional<int> width = std::nullopt;  ///< width of the elimination; empty for an enumeration
};

}  // namespace larmor::ground_states
