#pragma once
// The share of this process in the replicas of a study.

#include "larmor/core/types.hpp"

namespace larmor {

struct ReplicaShare {
  Index first = 0;
  Index count = 1;
  Index all = 1;

  ReplicaShare() = default;
  /// A process that has all replicas.
  ReplicaShare(Index replicas) : count(replicas), all(replicas) {}
  ReplicaShare(Index first_of, Index count_of, Index all_of)
      : first(first_of), count(count_of), all(all_of) {}
};

}  // namespace larmor
