#pragma once
// Code that clusters on a CPU and on a GPU share: existing bonds, active bonds, and new states of
// clusters. All decisions are functions of Philox keys, so the order of the work changes no bit.

#include <cstdint>

#include "larmor/clusters/cluster_words.hpp"
#include "larmor/clusters/forest.hpp"
#include "larmor/clusters/regular_grid.hpp"

namespace larmor::ising {

using clusters::ClusterKeys;

/// The bonds of a general graph; none for a grid.
struct EdgeView {
  const std::uint32_t* ends;  ///< (bond, 2)
  Index bonds;
};

/// If ranks share a grid, each has a slab of it. In this case, sites are numbered from the first
/// site of the slab, and the slab is open at its ends. Random words and labels use numbers of sites
/// in the whole grid.
struct ClusterView {
  Index sites, replicas, classes;
  std::uint64_t first_site;  ///< number of the slab's first site in the whole grid
  bool is_slab;
  int states;
  bool is_ising, antiferromagnetic;
  clusters::GridView grid;
  EdgeView edges;
  const std::uint32_t* codes;       ///< see ClusterGraph::codes; null: all bonds have one J
  Index codes_of_replica;           ///< 0: all replicas have one sample
  const Index* weights;             ///< (sample, class)
  Index weights_of_replica;         ///< 0: all replicas have one sample
  const std::uint32_t* thresholds;  ///< (replica, class)
};

inline namespace LARMOR_ISA_NAMESPACE {

using clusters::chosen_word;
using clusters::coordinate;
using clusters::find_root;
using clusters::find_root_of_ranks;
using clusters::has_bond;
using clusters::label_word;
using clusters::next_site;
using clusters::root_of;
using clusters::size_of_cluster;
using clusters::unite;
using clusters::word_at;
using clusters::word_place;
using clusters::WordPlace;

LARMOR_INLINE bool is_satisfied(std::uint8_t a, std::uint8_t b, bool antiferromagnetic) {
  return (a == b) != antiferromagnetic;
}

/// Threshold and sign of a bond. @param slot index in `codes`
struct BondKind {
  std::uint32_t number;
  bool antiferromagnetic;
};
LARMOR_INLINE BondKind bond_kind(const ClusterView& view, Index replica, std::uint64_t slot) {
  if (view.codes == nullptr) return {0, view.antiferromagnetic};
  const std::uint32_t code =
      view.codes[static_cast<std::uint64_t>(replica * view.codes_of_replica) + slot];
  return {code >> 1, (code & 1) != 0};
}
LARMOR_INLINE Index weight_of(const ClusterView& view, Index replica, std::uint32_t number) {
  return view.weights[replica * view.weights_of_replica + number];
}
LARMOR_INLINE std::uint32_t threshold_of(const ClusterView& view, Index replica,
                                         std::uint32_t number) {
  return view.thresholds[replica * view.classes + number];
}

/// Bits of the active bonds of a site in + direction of its axes. @param spins states of the
/// replica
/// @param x coordinates of the site; only coordinates along requested axes are read
/// @param requested bits of the requested axes
LARMOR_INLINE unsigned active_bonds(const ClusterView& view, const ClusterKeys& keys, Index replica,
                                    const std::uint8_t* spins, std::uint64_t site,
                                    const std::uint64_t (&x)[4], unsigned requested) {
  const clusters::GridView& grid = view.grid;
  unsigned satisfied = 0;
  std::uint32_t number[4] = {};
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int axis = 0; axis < 4; ++axis) {
    if ((requested >> axis & 1u) == 0 || !has_bond(grid, x[axis], axis)) continue;
    const BondKind kind =
        bond_kind(view, replica,
                  static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site);
    number[axis] = kind.number;
    if (is_satisfied(spins[site], spins[next_site(grid, site, x[axis], axis)],
                     kind.antiferromagnetic))
      satisfied |= 1u << axis;
  }
  if (satisfied == 0) return 0;
  const WordPlace first = word_place(view.first_site + site, 0, grid.words_shift);
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

/// Bits of the active bonds of a site in + direction of all axes.
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
  const clusters::GridView& grid = view.grid;
  if (!has_bond(grid, along, axis)) return false;
  const BondKind kind =
      bond_kind(view, replica,
                static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site);
  return is_satisfied(spins[site], spins[next_site(grid, site, along, axis)],
                      kind.antiferromagnetic) &&
         word_at(keys, replica, word_place(view.first_site + site, axis, grid.words_shift)) <
             threshold_of(view, replica, kind.number);
}

/// Is the bond from a site of a slab's last plane to the next rank active?
/// @param state, other states of the two ends of the bond
LARMOR_INLINE bool active_bond_to_next_rank(const ClusterView& view, const ClusterKeys& keys,
                                            Index replica, std::uint64_t site, std::uint8_t state,
                                            std::uint8_t other) {
  const int axis = view.grid.axes - 1;
  const BondKind kind =
      bond_kind(view, replica,
                static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site);
  return is_satisfied(state, other, kind.antiferromagnetic) &&
         word_at(keys, replica, word_place(view.first_site + site, axis, view.grid.words_shift)) <
             threshold_of(view, replica, kind.number);
}

/// Converts between a site of a slab and its label, which is the number of the site in the whole
/// grid. Both are counted modulo 2^32.
LARMOR_INLINE std::uint32_t label_of_site(const ClusterView& view, std::uint32_t site) {
  return site + static_cast<std::uint32_t>(view.first_site);
}
LARMOR_INLINE std::uint32_t site_of_label(const ClusterView& view, std::uint32_t label) {
  return label - static_cast<std::uint32_t>(view.first_site);
}
/// Does a root count its cluster? It does not if other ranks have sites of the cluster.
LARMOR_INLINE bool is_counted(const ClusterView& view, std::uint32_t stored) {
  return stored != 0 || !view.is_slab;
}

/// Is a bond of a graph active?
LARMOR_INLINE bool active_edge(const ClusterView& view, const ClusterKeys& keys, Index replica,
                               const std::uint8_t* spins, Index bond) {
  const BondKind kind = bond_kind(view, replica, static_cast<std::uint64_t>(bond));
  const std::uint32_t* ends = view.edges.ends + 2 * bond;
  return is_satisfied(spins[ends[0]], spins[ends[1]], kind.antiferromagnetic) &&
         word_at(keys, replica, word_place(static_cast<std::uint64_t>(bond), 0, 0)) <
             threshold_of(view, replica, kind.number);
}

/// BITS: the decision by the random word of a cluster. It is 1 if an Ising cluster flips, or it is
/// the new state of a Potts cluster.
LARMOR_INLINE std::uint8_t decision(const ClusterView& view, std::uint64_t word) {
  return static_cast<std::uint8_t>(
      view.is_ising ? word >> 31 : (word * static_cast<std::uint64_t>(view.states)) >> 32);
}
LARMOR_INLINE std::uint8_t new_state(const ClusterView& view, std::uint8_t old,
                                     std::uint8_t decided) {
  return view.is_ising ? static_cast<std::uint8_t>(old ^ decided) : decided;
}

/// BITS: the first site of a Wolff cluster, uniform among all sites, and `turn`, uniform from 1 to
/// q - 1. The update adds `turn` to the states of the cluster, modulo q.
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

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
