#pragma once
// Keys that give one value for all replicas, or a list with one value for each replica.

#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/replica_share.hpp"

namespace larmor::study {

/// @param count number of values @throws InputError unless there is one value, or one per replica
inline void require_one_or_each(const std::string& key, std::size_t count, Index replicas,
                                const SourcePosition& where) {
  if (count == 1 || static_cast<Index>(count) == replicas) return;
  throw InputError(
      key + " has " + std::to_string(count) + " values for replicas = " + std::to_string(replicas),
      where, "give one value for all replicas, or a list with one for each");
}

/// The values of the replicas of this process. [replicas of the process]
template <class T>
std::vector<T> values_of_own(const std::vector<T>& given, const ReplicaShare& share) {
  if (given.size() == 1)
    return std::vector<T>(static_cast<std::size_t>(share.count), given.front());
  const auto first = given.begin() + share.first;
  return {first, first + share.count};
}

}  // namespace larmor::study
