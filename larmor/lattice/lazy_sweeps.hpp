#pragma once
// Lazy sweeps, which make Metropolis updates of discrete spins ergodic. Metropolis always accepts a
// move that costs no energy. Therefore updates colour by colour do not reach every state of every
// graph. For example, domain walls on a ring move at constant speed. If all moves of a state cost
// nothing, all later states are determined. Such states are more frequent in small and dense
// graphs.
//
// On graphs that need lazy sweeps, about one sweep of eight is lazy: it proposes a move of each
// site only with probability 1/2. After a lazy sweep every state has a positive probability,
// whatever the state before. So the updates are ergodic on every graph. Sweeps that are not lazy do
// not change.
//
// Source: D. A. Levin, Y. Peres, E. L. Wilmer, Markov Chains and Mixing Times (AMS, 2009), 1.3.

#include <cstdint>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// BITS: selects the lazy sweeps. A sweep is lazy if the fractional part of its step times the
/// golden ratio is at least 7/8. Lazy sweeps are at most 13 steps apart. No period of measurements
/// or exchanges misses them.
/// @param step counter of the random numbers
LARMOR_HD constexpr bool is_lazy_sweep(std::uint64_t step) {
  return (step * 0x9E3779B97F4A7C15u) >> 61 == 7;
}

/// Number of consecutive sweeps from `step` on, at most `count`, of which all are lazy or none is.
constexpr Index sweeps_of_one_kind(std::uint64_t step, Index count) {
  Index n = 1;
  while (n < count && is_lazy_sweep(step + static_cast<std::uint64_t>(n)) == is_lazy_sweep(step))
    ++n;
  return n;
}

/// Does a connected graph need lazy sweeps? True for a chain, a ring, or a graph with fewer than
/// 10 `most_bonds` sites. @param most_bonds largest number of bonds of a site
constexpr bool needs_lazy_sweeps(Index sites, Index most_bonds) {
  return most_bonds <= 2 || sites < 10 * most_bonds;
}

/// The connected components of a graph.
class GraphComponents {
 public:
  explicit GraphComponents(Index sites);

  /// Adds a bond between two sites. If several bonds join two sites, each counts.
  void join(Index i, Index j);
  /// Does any component need lazy sweeps?
  bool need_lazy_sweeps() const;

 private:
  std::int32_t root(std::int32_t site);

  std::vector<std::int32_t> parent_, bonds_;
};

}  // namespace larmor::lattice
