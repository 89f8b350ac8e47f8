#pragma once
// Lists of all ranks, joined on all of them.

#include <algorithm>
#include <type_traits>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor {

/// The lists of all ranks, in order of ranks, on every rank. For short lists; lengths may differ.
template <class T>
std::vector<T> all_gathered(const Communicator& world, std::vector<T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto ranks = static_cast<std::size_t>(world.size());
  const auto rank = static_cast<std::size_t>(world.rank());
  std::vector<double> counts(ranks);
  counts[rank] = static_cast<double>(own.size());
  world.sum(counts.data(), ranks);
  double count = 0;
  for (const double of_rank : counts) count += of_rank;
  std::vector<T> all(static_cast<std::size_t>(count));
  std::vector<Message> out, in;
  T* next = all.data();
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto here = static_cast<std::size_t>(counts[r]);
    if (r == rank) {
      std::copy(own.begin(), own.end(), next);
    } else {
      if (!own.empty()) out.push_back({static_cast<int>(r), own.data(), own.size() * sizeof(T)});
      if (here > 0) in.push_back({static_cast<int>(r), next, here * sizeof(T)});
    }
    next += here;
  }
  world.exchange(out, in);
  return all;
}

}  // namespace larmor
