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
  ReplicaShare(Index first_replica, Index replicas, Index all_replicas)
      : first(first_replica), count(replicas), all(all_replicas) {}
};

}  // namespace larmor
