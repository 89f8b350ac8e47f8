#pragma once
// Clusters as trees of sites. CPU and GPU unite them by the same text.

#include <cstdint>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor::clusters {
inline namespace LARMOR_ISA_NAMESPACE {

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

/// The same where a root that other ranks have may be in the place of a root: its number is none of
/// the `sites` of this rank.
template <class Parents>
LARMOR_INLINE std::uint32_t found_root_of_ranks(const Parents& parents, std::uint32_t site,
                                                Index sites) {
  for (;;) {
    const std::uint32_t parent = parents.load(site);
    if (parent == site || parent >= sites) return parent;
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

/// Sizes are kept in 32 bits: 0 of a cluster is 2^32.
LARMOR_INLINE std::uint64_t size_of_cluster(std::uint32_t kept) {
  return kept == 0 ? std::uint64_t{1} << 32 : kept;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
