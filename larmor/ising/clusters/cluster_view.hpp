#pragma once
// What a CPU and a GPU have in common to make clusters: where bonds are, which of them are active,
// and what becomes of a cluster. All of it is a function of Philox keys, so that the order of the
// work changes no bit.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"

namespace larmor::ising {

/// A grid, its axes filled up to four with those of length 1.
struct GridView {
  int axes;
  int words_shift;  ///< a site has 2^words_shift random words
  std::uint64_t length[4], stride[4];
  bool periodic[4];
};

/// A graph of any kind; none: there is a grid.
struct EdgeView {
  const std::uint32_t* ends;  ///< (bond, 2)
  Index bonds;
};

struct ClusterView {
  Index sites, replicas, classes;
  int states;
  bool is_ising, antiferromagnetic;
  GridView grid;
  EdgeView edges;
  const std::uint32_t* codes;       ///< (axis, site) or bond; null: all bonds are alike
  const Index* weights;             ///< of each class
  const std::uint32_t* thresholds;  ///< (replica, class)
};

/// Several of them do one update; each is a function of the seed, the step and the replica.
struct ClusterKeys {
  std::uint64_t seed, step, first_replica;

  LARMOR_HD RandomKey of(Stream stream) const { return {seed, step, stream, first_replica}; }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// BITS: the words of a call of Philox serve sites that lie eight apart, so that eight calls side
/// by side serve whole groups of consecutive sites: 32 of one axis, 16 of two, 8 of three or four.
/// A bond of a graph has its words as a site of one axis.
struct WordPlace {
  std::uint64_t call;
  int word;
};
LARMOR_INLINE WordPlace word_place(std::uint64_t site, int axis, int words_shift) {
  const int group_shift = 5 - words_shift;
  const auto slot = static_cast<int>((site & ((1u << group_shift) - 1)) >> 3);
  return {((site >> group_shift) << 3) | (site & 7), (slot << words_shift) + axis};
}

/// One of four words. Without a computed index, for which a GPU needs memory.
LARMOR_INLINE std::uint64_t chosen_word(const RandomWords<std::uint64_t>& words, int n) {
  const std::uint64_t low = (n & 1) != 0 ? words.w[1] : words.w[0];
  const std::uint64_t high = (n & 1) != 0 ? words.w[3] : words.w[2];
  return (n & 2) != 0 ? high : low;
}
LARMOR_INLINE std::uint64_t word_at(const ClusterKeys& keys, Index replica,
                                    const WordPlace& place) {
  return chosen_word(
      philox(keys.of(Stream::cluster_bond), place.call, static_cast<std::uint64_t>(replica)),
      place.word);
}

LARMOR_INLINE bool is_satisfied(std::uint8_t a, std::uint8_t b, bool antiferromagnetic) {
  return (a == b) != antiferromagnetic;
}

/// Threshold and sign of a bond. @param slot of `codes`
struct BondKind {
  std::uint32_t number;
  bool antiferromagnetic;
};
LARMOR_INLINE BondKind bond_kind(const ClusterView& view, std::uint64_t slot) {
  if (view.codes == nullptr) return {0, view.antiferromagnetic};
  const std::uint32_t code = view.codes[slot];
  return {code >> 1, (code & 1) != 0};
}
LARMOR_INLINE std::uint32_t threshold_of(const ClusterView& view, Index replica,
                                         std::uint32_t number) {
  return view.thresholds[replica * view.classes + number];
}

/// Coordinate of a site along an axis. Sites fit 32 bits, which GPUs divide faster.
LARMOR_INLINE std::uint64_t coordinate(const GridView& grid, std::uint64_t site, int axis) {
  if (grid.stride[axis] >> 32 != 0) return 0;
  const std::uint32_t along =
      static_cast<std::uint32_t>(site) / static_cast<std::uint32_t>(grid.stride[axis]);
  if (grid.length[axis] >> 32 != 0) return along;
  return along % static_cast<std::uint32_t>(grid.length[axis]);
}
/// Is there a bond in +axis of a site at this coordinate?
LARMOR_INLINE bool has_bond(const GridView& grid, std::uint64_t x, int axis) {
  return grid.length[axis] > 1 && (grid.periodic[axis] || x + 1 < grid.length[axis]);
}
/// The site at its other end.
LARMOR_INLINE std::uint64_t next_site(const GridView& grid, std::uint64_t site, std::uint64_t x,
                                      int axis) {
  return x + 1 < grid.length[axis] ? site + grid.stride[axis] : site - x * grid.stride[axis];
}

/// The active bonds of a site in + direction of its axes, bit by bit. @param spins of the replica
/// @param x coordinates of the site; only those of axes asked for are looked at
/// @param asked bits of axes
LARMOR_INLINE unsigned active_bonds(const ClusterView& view, const ClusterKeys& keys, Index replica,
                                    const std::uint8_t* spins, std::uint64_t site,
                                    const std::uint64_t (&x)[4], unsigned asked) {
  const GridView& grid = view.grid;
  unsigned satisfied = 0;
  std::uint32_t number[4] = {};
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int axis = 0; axis < 4; ++axis) {
    if ((asked >> axis & 1u) == 0 || !has_bond(grid, x[axis], axis)) continue;
    const BondKind kind = bond_kind(
        view, static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site);
    number[axis] = kind.number;
    if (is_satisfied(spins[site], spins[next_site(grid, site, x[axis], axis)],
                     kind.antiferromagnetic))
      satisfied |= 1u << axis;
  }
  if (satisfied == 0) return 0;
  const WordPlace first = word_place(site, 0, grid.words_shift);
  const auto words =
      philox(keys.of(Stream::cluster_bond), first.call, static_cast<std::uint64_t>(replica));
  unsigned active = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int axis = 0; axis < 4; ++axis) {
    if ((satisfied >> axis & 1u) == 0) continue;
    const std::uint64_t word = chosen_word(words, first.word + axis);
    if (word < threshold_of(view, replica, number[axis])) active |= 1u << axis;
  }
  return active;
}

/// All of those of a site.
LARMOR_INLINE unsigned active_bonds(const ClusterView& view, const ClusterKeys& keys, Index replica,
                                    const std::uint8_t* spins, std::uint64_t site) {
  std::uint64_t x[4] = {};
  for (int axis = 0; axis < view.grid.axes; ++axis) x[axis] = coordinate(view.grid, site, axis);
  return active_bonds(view, keys, replica, spins, site, x, 15);
}

/// Is the bond of a site in +axis active? @param along coordinate of the site on this axis
LARMOR_INLINE bool active_bond(const ClusterView& view, const ClusterKeys& keys, Index replica,
                               const std::uint8_t* spins, std::uint64_t site, std::uint64_t along,
                               int axis) {
  const GridView& grid = view.grid;
  if (!has_bond(grid, along, axis)) return false;
  const BondKind kind = bond_kind(
      view, static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site);
  return is_satisfied(spins[site], spins[next_site(grid, site, along, axis)],
                      kind.antiferromagnetic) &&
         word_at(keys, replica, word_place(site, axis, grid.words_shift)) <
             threshold_of(view, replica, kind.number);
}

/// Is a bond of a graph active?
LARMOR_INLINE bool active_edge(const ClusterView& view, const ClusterKeys& keys, Index replica,
                               const std::uint8_t* spins, Index bond) {
  const BondKind kind = bond_kind(view, static_cast<std::uint64_t>(bond));
  const std::uint32_t* ends = view.edges.ends + 2 * bond;
  return is_satisfied(spins[ends[0]], spins[ends[1]], kind.antiferromagnetic) &&
         word_at(keys, replica, word_place(static_cast<std::uint64_t>(bond), 0, 0)) <
             threshold_of(view, replica, kind.number);
}

/// BITS: what a cluster's random word decides: of Ising whether it flips, of Potts its new state.
LARMOR_INLINE std::uint8_t decision(const ClusterView& view, std::uint64_t word) {
  return static_cast<std::uint8_t>(
      view.is_ising ? word >> 31 : (word * static_cast<std::uint64_t>(view.states)) >> 32);
}
LARMOR_INLINE std::uint64_t label_word(const ClusterKeys& keys, Index replica,
                                       std::uint64_t label) {
  return philox(keys.of(Stream::cluster_state), label, static_cast<std::uint64_t>(replica)).w[0];
}
LARMOR_INLINE std::uint8_t new_state(const ClusterView& view, std::uint8_t old,
                                     std::uint8_t decided) {
  return view.is_ising ? static_cast<std::uint8_t>(old ^ decided) : decided;
}

/// BITS: where a Wolff cluster begins, uniformly among the sites, and which of the other states it
/// takes: so many steps further, from 1 to q - 1.
struct WolffSeed {
  std::uint64_t site;
  std::uint32_t turn;
};
LARMOR_INLINE WolffSeed wolff_seed(const ClusterView& view, const ClusterKeys& keys,
                                   Index replica) {
  const auto words =
      philox(keys.of(Stream::wolff_seed), std::uint64_t{0}, static_cast<std::uint64_t>(replica));
  const auto sites = static_cast<std::uint64_t>(view.sites);
  const auto others = static_cast<std::uint64_t>(view.states - 1);
  return {(words.w[0] * sites + ((words.w[1] * sites) >> 32)) >> 32,
          1 + static_cast<std::uint32_t>((words.w[2] * others) >> 32)};
}
LARMOR_INLINE std::uint8_t turned_state(const ClusterView& view, std::uint8_t old,
                                        std::uint32_t turn) {
  const std::uint32_t state = old + turn;
  const auto states = static_cast<std::uint32_t>(view.states);
  return static_cast<std::uint8_t>(state < states ? state : state - states);
}

/// Sizes are kept in 32 bits: 0 of a cluster is 2^32.
LARMOR_INLINE std::uint64_t size_of_cluster(std::uint32_t kept) {
  return kept == 0 ? std::uint64_t{1} << 32 : kept;
}

// A forest of sites: every site refers to one that is not larger, a root to itself. `Parents` is
// how a forest is read and written: load(x), store(x, parent), and hook(root, parent), which makes
// `parent` the parent of a root unless it is none by now, and answers what was its parent before.

/// The root of a site; the way to it is halved. Others may unite trees meanwhile: what is found was
/// the root.
template <class Parents>
LARMOR_INLINE std::uint32_t root_of(const Parents& parents, std::uint32_t site) {
  for (;;) {
    const std::uint32_t parent = parents.load(site);
    if (parent == site) return site;
    const std::uint32_t above = parents.load(parent);
    if (above == parent) return parent;
    parents.store(site, above);
    site = above;
  }
}

/// The same of trees that are complete, which leaves the way as it is: others may meanwhile store
/// the root in it, and what lies before the root must not replace it.
template <class Parents>
LARMOR_INLINE std::uint32_t found_root(const Parents& parents, std::uint32_t site) {
  for (;;) {
    const std::uint32_t parent = parents.load(site);
    if (parent == site) return site;
    site = parent;
  }
}

/// Makes one tree of those of two sites. Only roots are hooked, to smaller ones: whoever else does
/// so at the same time, nothing is lost and the root of a finished tree is its least site.
/// @return its root, as far as this thread knows
template <class Parents>
LARMOR_INLINE std::uint32_t unite(const Parents& parents, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    if (a == b) return a;
    const std::uint32_t large = a < b ? b : a, small = a < b ? a : b;
    const std::uint32_t before = parents.hook(large, small);
    if (before == large) return small;
    a = before;
    b = small;
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
