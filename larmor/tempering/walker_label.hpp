#pragma once
// A walker is a replica on its way along the rungs of a ladder. Its label says which end it visited
// last. Of labels the flow is counted: f(rung) is the part of the labelled walkers at a rung that
// visited the first rung last. A round trip leads from the first rung to the last and back.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

enum class WalkerLabel : std::int8_t {
  none = 0,        ///< it has not visited an end
  from_first = 1,  ///< of the two ends it visited the first rung last
  from_last = 2,
};

/// @param rung where the walker is now, after an exchange or none
LARMOR_HD inline WalkerLabel label_at(Index rung, Index rungs, WalkerLabel before) {
  if (rung == 0) return WalkerLabel::from_first;
  return rung == rungs - 1 ? WalkerLabel::from_last : before;
}

/// Does the walker that arrives at this rung end a round trip?
LARMOR_HD inline bool ends_round_trip(Index rung, WalkerLabel before) {
  return rung == 0 && before == WalkerLabel::from_last;
}

}  // namespace larmor::tempering
