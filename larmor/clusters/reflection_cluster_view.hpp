#pragma once
// Clusters of reflections: vectors v_x are projected on one unit vector r, sigma_x = r.v_x, and
//
//     weight = exp(sum_b K_b sigma_i sigma_j),      b a bond of i and j,
//
// is the weight of Ising spins sign(sigma_x). A bond is active with probability
//
//     p_b = 1 - exp(min(0, -2 K_b sigma_i sigma_j)),
//
// and a cluster is reflected, v -> v - 2 sigma r. For one cluster: U. Wolff, Phys. Rev. Lett. 62,
// 361 (1989); for all clusters, each with probability 1/2: R. H. Swendsen, J.-S. Wang, Phys. Rev.
// Lett. 58, 86 (1987).
//
// BITS: computed in float from + - * and integer operations. So CPU and GPU decide equally if
// neither contracts products and sums.

#include "larmor/clusters/cluster_words.hpp"
#include "larmor/clusters/forest.hpp"
#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/maths/math.hpp"

namespace larmor::clusters {

/// Bonds of a graph; none for a grid.
struct ReflectionEdges {
  const std::uint32_t* ends;  ///< (bond, 2)
  const float* coupling;      ///< factor of K for each bond
  Index bonds;
  Index of_replica;  ///< couplings from one replica to the next; 0: all replicas share them
};

/// K of each replica. In a graph, the coupling of the bond multiplies this K.
struct ReflectionStrength {
  const double* of_replica;  ///< on the device of the kernels [replicas]
  double scale;              ///< K is this factor times of_replica
};

struct ReflectionClusterView {
  Index sites, replicas;
  GridView grid;
  ReflectionEdges edges;
  ReflectionStrength strength;
  const float* projections;  ///< sigma (replica, site)
  /// Sums of sigma over clusters are whole multiples of 1 / unit.
  float unit;
};

inline namespace LARMOR_ISA_NAMESPACE {

LARMOR_INLINE float strength_of(const ReflectionClusterView& view, Index replica) {
  return static_cast<float>(view.strength.scale * view.strength.of_replica[replica]);
}

/// BITS: the exponent of a bond whose ends have the projections a and b. Only bonds with a negative
/// exponent can be active.
template <class Real>
LARMOR_INLINE Real bond_exponent(Real K, Real a, Real b) {
  return (Real(-2.0f) * K) * (a * b);
}
/// BITS: is a bond active? @param word of 32 random bits
LARMOR_INLINE bool is_active(float exponent, std::uint64_t word) {
  return exponent < 0 && exponential(exponent) < uniform_32<float>(word);
}

/// The active bonds of a site of a grid in + direction of the axes, one bit per axis.
/// @param sigma projections of the replica
LARMOR_INLINE unsigned active_bonds(const ReflectionClusterView& view, const ClusterKeys& keys,
                                    Index replica, const float* sigma, std::uint64_t site) {
  const GridView& grid = view.grid;
  const float K = strength_of(view, replica);
  float exponent[4] = {};
  unsigned possible = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int axis = 0; axis < 4; ++axis) {
    if (axis >= grid.axes) continue;
    const std::uint64_t x = coordinate(grid, site, axis);
    if (!has_bond(grid, x, axis)) continue;
    exponent[axis] = bond_exponent(K, sigma[site], sigma[next_site(grid, site, x, axis)]);
    if (exponent[axis] < 0) possible |= 1u << axis;
  }
  if (possible == 0) return 0;
  const WordPlace first = word_place(site, 0, grid.words_shift);
  const auto words =
      philox(keys.of(Stream::cluster_bond), first.call, static_cast<std::uint64_t>(replica));
  unsigned active = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int axis = 0; axis < 4; ++axis)
    if ((possible >> axis & 1u) != 0 &&
        is_active(exponent[axis], chosen_word(words, first.word + axis)))
      active |= 1u << axis;
  return active;
}

/// Is the bond of a site in +axis active? @param along coordinate of the site on this axis
LARMOR_INLINE bool active_bond(const ReflectionClusterView& view, const ClusterKeys& keys,
                               Index replica, const float* sigma, std::uint64_t site,
                               std::uint64_t along, int axis) {
  const GridView& grid = view.grid;
  if (!has_bond(grid, along, axis)) return false;
  const float exponent = bond_exponent(strength_of(view, replica), sigma[site],
                                       sigma[next_site(grid, site, along, axis)]);
  return exponent < 0 &&
         is_active(exponent, word_at(keys, replica, word_place(site, axis, grid.words_shift)));
}

/// Is a bond of a graph active?
LARMOR_INLINE bool active_edge(const ReflectionClusterView& view, const ClusterKeys& keys,
                               Index replica, const float* sigma, Index bond) {
  const std::uint32_t* ends = view.edges.ends + 2 * bond;
  const float coupling = view.edges.coupling[replica * view.edges.of_replica + bond];
  const float exponent =
      bond_exponent(strength_of(view, replica) * coupling, sigma[ends[0]], sigma[ends[1]]);
  return exponent < 0 &&
         is_active(exponent,
                   word_at(keys, replica, word_place(static_cast<std::uint64_t>(bond), 0, 0)));
}

/// BITS: is a cluster reflected? @param word its label_word
LARMOR_INLINE bool is_reflected(std::uint64_t word) { return word >> 31 != 0; }

/// BITS: the seed of a Wolff cluster, uniform among the sites.
LARMOR_INLINE std::uint64_t seed_site(const ReflectionClusterView& view, const ClusterKeys& keys,
                                      Index replica) {
  const auto words =
      philox(keys.of(Stream::wolff_seed), std::uint64_t{0}, static_cast<std::uint64_t>(replica));
  const auto sites = static_cast<std::uint64_t>(view.sites);
  return (words.w[0] * sites + ((words.w[1] * sites) >> 32)) >> 32;
}

/// sigma as a whole number, so that sums do not depend on their order.
LARMOR_INLINE Index whole(const ReflectionClusterView& view, float sigma) {
  return static_cast<Index>(sigma * view.unit);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
