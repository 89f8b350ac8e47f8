#pragma once
// Order of replicas over rungs, ladders, copies and samples. A sample is one draw of quenched
// disorder. A sample has one ladder for each copy. The replicas of a ladder are contiguous, and so
// are the copies of a sample.

#include "larmor/core/types.hpp"

namespace larmor::tempering {

struct LadderLayout {
  Index rungs = 2, copies = 1, samples = 1;

  LARMOR_HD Index ladders() const { return copies * samples; }
  LARMOR_HD Index replicas() const { return rungs * ladders(); }
  /// Number of replicas of a sample, which are contiguous.
  LARMOR_HD Index replicas_of_sample() const { return rungs * copies; }

  LARMOR_HD Index ladder_at(Index copy, Index sample) const { return copy + copies * sample; }
  /// The replica that begins at this rung of this ladder.
  LARMOR_HD Index replica_at(Index rung, Index ladder) const { return rung + rungs * ladder; }

  LARMOR_HD Index first_rung(Index replica) const { return replica % rungs; }
  LARMOR_HD Index ladder(Index replica) const { return replica / rungs; }
  LARMOR_HD Index copy(Index replica) const { return ladder(replica) % copies; }
  LARMOR_HD Index sample(Index replica) const { return ladder(replica) / copies; }
};

}  // namespace larmor::tempering
