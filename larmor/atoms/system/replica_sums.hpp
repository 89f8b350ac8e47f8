#pragma once
// Loops, sums and maxima over the atoms of every replica, on CPU threads.

#include <algorithm>
#include <array>
#include <vector>

#include "larmor/atoms/system/atom_state.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::atoms {

/// Calls body(replica, atom) for every atom, in any order. Atoms are counted over all replicas.
template <class Body>
void for_each_atom(const AtomLayout& layout, int threads, const Body& body) {
  const auto pieces = layout.pieces();
  parallel_for(threads, static_cast<Index>(pieces.size()), [&](Index n) {
    const AtomBlock& piece = pieces[static_cast<std::size_t>(n)];
    for (Index atom = piece.first; atom < piece.last; ++atom) body(piece.replica, atom);
  });
}

/// K sums over the atoms of each replica [replicas].
/// BITS: a tree within a piece, then one over the pieces of the replica, for any number of threads.
/// @param term (atom) -> std::array<double, K>
template <std::size_t K, class Term>
std::vector<std::array<double, K>> sums_of_replicas(const AtomLayout& layout, int threads,
                                                    const Term& term) {
  const auto pieces = layout.pieces();
  std::vector<std::array<double, K>> part(pieces.size()),
      sums(static_cast<std::size_t>(layout.replicas()));
  parallel_for(threads, static_cast<Index>(pieces.size()), [&](Index n) {
    const AtomBlock& piece = pieces[static_cast<std::size_t>(n)];
    for (std::size_t k = 0; k < K; ++k)
      part[static_cast<std::size_t>(n)][k] =
          tree_sum(piece.last - piece.first, [&](Index i) { return term(piece.first + i)[k]; });
  });
  for (Index replica = 0; replica < layout.replicas(); ++replica) {
    const Index first = layout.first_piece(replica), last = layout.first_piece(replica + 1);
    for (std::size_t k = 0; k < K; ++k)
      sums[static_cast<std::size_t>(replica)][k] = tree_sum(
          last - first, [&](Index n) { return part[static_cast<std::size_t>(first + n)][k]; });
  }
  return sums;
}

/// The largest value of `term` in each replica; values must not be negative.
/// @param term (atom) -> double
template <class Term>
std::vector<double> maxima_of_replicas(const AtomLayout& layout, int threads, const Term& term) {
  const auto pieces = layout.pieces();
  std::vector<double> part(pieces.size()), maxima(static_cast<std::size_t>(layout.replicas()));
  parallel_for(threads, static_cast<Index>(pieces.size()), [&](Index n) {
    const AtomBlock& piece = pieces[static_cast<std::size_t>(n)];
    double& largest = part[static_cast<std::size_t>(n)];
    for (Index atom = piece.first; atom < piece.last; ++atom)
      largest = std::max(largest, term(atom));
  });
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    double& largest = maxima[static_cast<std::size_t>(pieces[n].replica)];
    largest = std::max(largest, part[n]);
  }
  return maxima;
}

}  // namespace larmor::atoms
