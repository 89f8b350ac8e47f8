#pragma once
// Parts of the storage positions that the factorised sum takes by themselves. BITS: they depend on
// the size of the lattice alone, however many processes share the sites.

#include <algorithm>
#include <vector>

#include "larmor/core/lanes/for_each.hpp"

namespace larmor::correlations {

/// Parts of a large lattice: enough to be spread over processes and threads, few enough that their
/// sums take little memory.
inline constexpr Index most_parts = 256;

/// A multiple of `slab_grain`.
inline Index sites_of_part(Index sites) {
  const Index grains = (sites + most_parts * slab_grain - 1) / (most_parts * slab_grain);
  return std::max<Index>(1, grains) * slab_grain;
}

inline Index parts_of(Index sites) {
  return (sites + sites_of_part(sites) - 1) / sites_of_part(sites);
}

/// Those that this process sums. @param slab null: all of them
inline std::vector<Index> own_parts(const Slab* slab, Index sites) {
  std::vector<Index> own;
  for (Index part = 0; part < parts_of(sites); ++part)
    if (is_owned(slab, part * sites_of_part(sites))) own.push_back(part);
  return own;
}

}  // namespace larmor::correlations
