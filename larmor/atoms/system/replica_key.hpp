#pragma once
// The random keys of replicas. A replica with a given key has equal bits in every run: as one of
// many replicas, and in a run of its own.

#include <cstdint>
#include <vector>

#include "larmor/core/maths/philox.hpp"

namespace larmor::atoms {

/// BITS: the constant part of the random key of a replica.
struct ReplicaKey {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;      ///< replica in the random key
  std::uint64_t first_step = 0;  ///< step in the random key when the state is at step 0. Sums with
                                 ///< steps of the state are modulo 2^64

  friend bool operator==(const ReplicaKey&, const ReplicaKey&) = default;
};

/// Keys of one seed for consecutive replicas. @param first number of the first replica
inline std::vector<ReplicaKey> replica_keys(std::uint64_t seed, Index replicas,
                                            std::uint64_t first = 0) {
  std::vector<ReplicaKey> keys;
  for (Index r = 0; r < replicas; ++r)
    keys.push_back({seed, first + static_cast<std::uint64_t>(r), 0});
  return keys;
}

/// The random keys of one use of random numbers in one step, for kernels. The lane adds the atom;
/// the replica of the lane is 0.
struct RandomKeys {
  const ReplicaKey* of_replica;  ///< [replicas]
  std::uint64_t step;            ///< of the state
  Stream stream;

  LARMOR_INLINE RandomKey operator()(Index replica) const {
    const ReplicaKey& own = of_replica[replica];
    return {own.seed, own.first_step + step, stream, own.number};
  }
};

}  // namespace larmor::atoms
