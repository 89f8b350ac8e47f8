#pragma once
// Clusters as trees of sites, united by the same code on CPU and GPU.

#include <cstdint>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor::clusters {
inline namespace LARMOR_ISA_NAMESPACE {

// A forest of sites: every site refers to a site that is not larger, and a root to itself.
// `Parents` reads and writes a forest with load(x), store(x, parent) and hook(root, parent). `hook`
// sets the parent of a root only if it still is a root, and returns its previous parent.

/// The root of a site. Halves the path to the root. If other threads unite trees meanwhile, the
/// result was the root at some moment during the call.
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

/// The root of a site in complete trees. Does not shorten the path, because other threads may be
/// storing the root in it.
template <class Parents>
LARMOR_INLINE std::uint32_t find_root(const Parents& parents, std::uint32_t site) {
  for (;;) {
    const std::uint32_t parent = parents.load(site);
    if (parent == site) return site;
    site = parent;
  }
}

/// The root of a site, if the root may belong to another rank. A root of another rank is not below
/// `sites`, the number of sites of this rank.
template <class Parents>
LARMOR_INLINE std::uint32_t find_root_of_ranks(const Parents& parents, std::uint32_t site,
                                               Index sites) {
  for (;;) {
    const std::uint32_t parent = parents.load(site);
    if (parent == site || parent >= sites) return parent;
    site = parent;
  }
}

/// Unites the trees of two sites. A root is hooked only to a smaller site. So concurrent calls lose
/// no union, and the root of a complete tree is its least site.
/// @return the root of the united tree, unless other threads have hooked it meanwhile
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

/// The size of a cluster. @param stored its size in 32 bits, where 0 means 2^32
LARMOR_INLINE std::uint64_t size_of_cluster(std::uint32_t stored) {
  return stored == 0 ? std::uint64_t{1} << 32 : stored;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
