#pragma once
// Sites in storage order, in which factorised sums read them. This file has their positions, and
// blocks of sites that are summed separately. BITS: the blocks depend only on the size of the
// lattice, not on the number of processes.

#include <algorithm>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

/// Largest number of blocks of a lattice. It is enough for all processes and threads, and so small
/// that sums of blocks need little memory.
inline constexpr Index most_site_blocks = 256;

/// Number of sites of a block, a multiple of `partial_sum_grain`. @param sites number of sites in
/// the lattice
inline Index sites_of_block(Index sites) {
  const Index grains =
      (sites + most_site_blocks * partial_sum_grain - 1) / (most_site_blocks * partial_sum_grain);
  return std::max<Index>(1, grains) * partial_sum_grain;
}

inline Index site_block_count(Index sites) {
  return (sites + sites_of_block(sites) - 1) / sites_of_block(sites);
}

/// Numbers of the blocks that this process sums. @param domain null: the process sums all blocks
inline std::vector<Index> owned_site_blocks(const Domain* domain, Index sites) {
  std::vector<Index> own;
  for (Index site_block = 0; site_block < site_block_count(sites); ++site_block)
    if (is_owned(domain, site_block * sites_of_block(sites))) own.push_back(site_block);
  return own;
}

/// Blocks of sites that a process sums on its GPU, as kernels read them.
struct OwnedSiteBlocksView {
  const Index* own;  ///< numbers of the blocks; null: all
  Index count;       ///< number of blocks
  Index sites;       ///< sites of each block

  LARMOR_HD Index first_site(Index n) const { return (own == nullptr ? n : own[n]) * sites; }
};

class OwnedSiteBlocks {
 public:
  explicit OwnedSiteBlocks(const spins::SpinState& state) {
    const Index spins = state.layout().spins();
    view_ = {nullptr, site_block_count(spins), sites_of_block(spins)};
    if (const Domain* domain = state.layout().domain) {
      const std::vector<Index> own = owned_site_blocks(domain, spins);
      if (!own.empty()) own_ = Array<Index>(state.device(), own);
      view_ = {own_.data(), std::ssize(own), view_.sites};
    }
  }
  const OwnedSiteBlocksView& view() const { return view_; }

 private:
  Array<Index> own_;
  OwnedSiteBlocksView view_;
};

/// Positions of spins in storage order. (3, spins)
inline std::vector<double> storage_positions(const lattice::Geometry& geometry,
                                             const spins::SpinState& state) {
  const Index spins = state.layout().spins();
  std::vector<double> positions(static_cast<std::size_t>(3 * spins));
  for (Index storage = 0; storage < spins; ++storage) {
    const Vec3<double> r = geometry.position(state.canonical()[static_cast<std::size_t>(storage)]);
    const double component[] = {r.x, r.y, r.z};
    for (Index a = 0; a < 3; ++a)
      positions[static_cast<std::size_t>(a * spins + storage)] = component[a];
  }
  return positions;
}

}  // namespace larmor::correlations
