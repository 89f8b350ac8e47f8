#pragma once
// Parts of the storage positions that the factorised sum sums separately. BITS: parts depend only
// on the size of the lattice, not on the number of processes.

#include <algorithm>
#include <vector>

#include "larmor/core/simd/for_each.hpp"

namespace larmor::correlations {

/// Parts of a large lattice: enough for all processes and threads, few enough that their sums need
/// little memory.
inline constexpr Index most_site_blocks = 256;

/// A multiple of `partial_sum_grain`.
inline Index sites_of_block(Index sites) {
  const Index grains =
      (sites + most_site_blocks * partial_sum_grain - 1) / (most_site_blocks * partial_sum_grain);
  return std::max<Index>(1, grains) * partial_sum_grain;
}

inline Index parts_of(Index sites) {
  return (sites + sites_of_block(sites) - 1) / sites_of_block(sites);
}

/// Parts that this process sums. @param domain null: all parts
inline std::vector<Index> owned_site_blocks(const Domain* domain, Index sites) {
  std::vector<Index> own;
  for (Index part = 0; part < parts_of(sites); ++part)
    if (is_owned(domain, part * sites_of_block(sites))) own.push_back(part);
  return own;
}

}  // namespace larmor::correlations
