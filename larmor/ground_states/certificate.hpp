#pragma once
// What is proved of a problem's ground states.

#include <optional>

#include "larmor/core/maths/natural_number.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::ground_states {

struct Certificate {
  double value;                             ///< least H
  std::optional<NaturalNumber> degeneracy;  ///< states that have it; nothing: rounding hides it
  double gap;   ///< from it to the next H; infinite if there is none, NaN if rounding hides it
  State state;  ///< one that has it
  double seconds = 0;
  std::optional<int> width = std::nullopt;  ///< of an elimination; nothing: an enumeration
};

}  // namespace larmor::ground_states
