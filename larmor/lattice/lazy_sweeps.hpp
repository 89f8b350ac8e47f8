#pragma once
// Metropolis updates of discrete spins, colour by colour, always make a move that costs no energy.
// So they do not reach every state of every graph: walls on a ring go on at constant speed, and
// where all moves of a state cost nothing the states that follow are determined for ever. The
// smaller and the denser a graph is, the more of its states are of this kind.
//
// There one sweep of about eight is lazy: it proposes a move of each site with probability 1/2
// only. After a lazy sweep every state has a positive probability, whatever the state before it, so
// that the updates are ergodic on every graph. Other sweeps stay what they are.
//
// Source: D. A. Levin, Y. Peres, E. L. Wilmer, Markov Chains and Mixing Times (AMS, 2009), 1.3.

#include <cstdint>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// BITS: which sweeps are lazy, those by whose step the golden ratio comes into the last eighth of
/// a turn. Two of them are never more than 13 steps apart, and no period of measurements or
/// exchanges misses them.
/// @param step of the random numbers
LARMOR_HD constexpr bool is_lazy_sweep(std::uint64_t step) {
  return (step * 0x9E3779B97F4A7C15u) >> 61 == 7;
}

/// Of up to `count` sweeps the first ones that are all lazy, or none of them.
constexpr Index sweeps_of_one_kind(std::uint64_t step, Index count) {
  Index n = 1;
  while (n < count && is_lazy_sweep(step + static_cast<std::uint64_t>(n)) == is_lazy_sweep(step))
    ++n;
  return n;
}

/// Does a connected graph need lazy sweeps? If it is a chain or a ring, or has fewer than ten sites
/// for each bond of a site.
constexpr bool needs_lazy_sweeps(Index sites, Index most_bonds) {
  return most_bonds <= 2 || sites < 10 * most_bonds;
}

/// The connected parts of a graph.
class GraphParts {
 public:
  explicit GraphParts(Index sites);

  /// There is a bond between two sites. Several bonds of the same sites count each.
  void join(Index i, Index j);
  /// Does some part of the graph?
  bool need_lazy_sweeps() const;

 private:
  std::int32_t root(std::int32_t site);

  std::vector<std::int32_t> parent_, bonds_;
};

}  // namespace larmor::lattice
