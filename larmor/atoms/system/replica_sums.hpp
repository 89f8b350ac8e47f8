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
  const auto blocks = layout.atom_blocks();
  parallel_for(threads, static_cast<Index>(blocks.size()), [&](Index n) {
    const AtomBlock& block = blocks[static_cast<std::size_t>(n)];
    for (Index atom = block.first; atom < block.last; ++atom) body(block.replica, atom);
  });
}

/// K sums over the atoms of each replica [replicas].
/// BITS: a tree adds the terms of an atom block, and another tree adds the sums of the atom blocks
/// of a replica. The trees do not depend on the number of threads.
/// @param term (atom) -> std::array<double, K>
template <std::size_t K, class Term>
std::vector<std::array<double, K>> sums_of_replicas(const AtomLayout& layout, int threads,
                                                    const Term& term) {
  const auto blocks = layout.atom_blocks();
  std::vector<std::array<double, K>> partial(blocks.size()),
      sums(static_cast<std::size_t>(layout.replicas()));
  parallel_for(threads, static_cast<Index>(blocks.size()), [&](Index n) {
    const AtomBlock& block = blocks[static_cast<std::size_t>(n)];
    for (std::size_t k = 0; k < K; ++k)
      partial[static_cast<std::size_t>(n)][k] =
          tree_sum(block.last - block.first, [&](Index i) { return term(block.first + i)[k]; });
  });
  for (Index replica = 0; replica < layout.replicas(); ++replica) {
    const Index first = layout.first_atom_block(replica),
                last = layout.first_atom_block(replica + 1);
    for (std::size_t k = 0; k < K; ++k)
      sums[static_cast<std::size_t>(replica)][k] = tree_sum(
          last - first, [&](Index n) { return partial[static_cast<std::size_t>(first + n)][k]; });
  }
  return sums;
}

/// The largest value of `term` in each replica. Values must not be negative.
/// @param term (atom) -> double
template <class Term>
std::vector<double> maxima_of_replicas(const AtomLayout& layout, int threads, const Term& term) {
  const auto blocks = layout.atom_blocks();
  std::vector<double> partial(blocks.size()), maxima(static_cast<std::size_t>(layout.replicas()));
  parallel_for(threads, static_cast<Index>(blocks.size()), [&](Index n) {
    const AtomBlock& block = blocks[static_cast<std::size_t>(n)];
    double& largest = partial[static_cast<std::size_t>(n)];
    for (Index atom = block.first; atom < block.last; ++atom)
      largest = std::max(largest, term(atom));
  });
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    double& largest = maxima[static_cast<std::size_t>(blocks[n].replica)];
    largest = std::max(largest, partial[n]);
  }
  return maxima;
}

}  // namespace larmor::atoms
