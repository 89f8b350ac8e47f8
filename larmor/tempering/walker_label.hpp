#pragma once
// Labels of walkers, which are replicas that move along the rungs of a ladder. The label of a
// walker says which end it visited last. The labels give the flow: f(rung) is the fraction of the
// labelled walkers at a rung that visited the first rung last. A round trip leads from the first
// rung to the last and back.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

enum class WalkerLabel : std::int8_t {
  none = 0,        ///< the walker has not visited an end
  from_first = 1,  ///< the end that it visited last is the first rung
  from_last = 2,
};

/// @param rung the rung of the walker now, whether or not it was exchanged
LARMOR_HD inline WalkerLabel label_at(Index rung, Index rungs, WalkerLabel before) {
  if (rung == 0) return WalkerLabel::from_first;
  return rung == rungs - 1 ? WalkerLabel::from_last : before;
}

/// Does the walker that arrives at this rung end a round trip?
LARMOR_HD inline bool ends_round_trip(Index rung, WalkerLabel before) {
  return rung == 0 && before == WalkerLabel::from_last;
}

}  // namespace larmor::tempering
