#include "larmor/spins/jit/stencil_shape.hpp"

#include <algorithm>
#include <set>

namespace larmor::spins {
namespace {

constexpr int block_threads = 256;

/// Numbers of sites per multiprocessor. If there are at least many_sites, patches of four sites are
/// fastest. If there are at least some_sites, patches of two sites are fastest. If there are fewer,
/// sums that many threads share are fastest. Measured for bcc iron, 50 neighbours, on an H200.
constexpr Index many_sites = 2500;
constexpr Index some_sites = 250;

int largest_divisor(Index number, Index most) {
  Index n = std::min(number, most);
  while (number % n != 0) --n;
  return static_cast<int>(n);
}

/// Groups sublattices into kinds of patches of `size` sites. Sublattices that read common
/// neighbours come into one patch, which saves reads.
std::vector<std::vector<PatchSite>> group(const Stencil& stencil, std::vector<int> sublattices,
                                          int size) {
  std::vector<std::vector<PatchSite>> patches;
  while (!sublattices.empty()) {
    std::vector<PatchSite> patch{{sublattices.front(), {0, 0, 0}}};
    sublattices.erase(sublattices.begin());
    while (static_cast<int>(patch.size()) < size) {
      const auto cost = [&](int sublattice) {
        std::vector<PatchSite> larger = patch;
        larger.push_back({sublattice, {0, 0, 0}});
        return sources_of(stencil, larger);
      };
      const auto best = std::min_element(sublattices.begin(), sublattices.end(),
                                         [&](int a, int b) { return cost(a) < cost(b); });
      patch.push_back({*best, {0, 0, 0}});
      sublattices.erase(best);
    }
    patches.push_back(std::move(patch));
  }
  return patches;
}

/// Extends every patch over `cells` cells.
void repeat(StencilShape& shape, const std::array<int, 3>& cells) {
  shape.patch_cells = cells;
  for (std::vector<PatchSite>& patch : shape.patches) {
    const std::vector<PatchSite> one = patch;
    patch.clear();
    for (int z = 0; z < cells[2]; ++z)
      for (int y = 0; y < cells[1]; ++y)
        for (const PatchSite& site : one) patch.push_back({site.sublattice, {0, y, z}});
  }
}

struct Tile {
  std::array<int, 3> side{1, 1, 1};
  double cost = 1e300;
};

/// @param partial may tiles extend beyond the lattice?
Tile cheapest_tile(const std::array<Index, 3>& patches, int most, bool one_replica, Index fold,
                   int bytes, bool partial) {
  Tile best;
  // With eight replicas a warp reads four segments of 64 bytes (32 in float). If they belong to two
  // (in float: four) adjacent sites of a row, each segment has its own memory banks.
  const Index row = bytes == 8 ? 4 : 4 * fold;
  const bool rows =
      !one_replica && most >= row && (patches[0] % row == 0 || (partial && patches[0] >= 4 * row));
  const auto side = [&](std::size_t d, int longest, const auto& body) {
    for (Index n = 1; n <= std::min<Index>(patches[d], longest); ++n)
      if (partial || patches[d] % n == 0) body(static_cast<int>(n));
  };
  const auto filled = [&](std::size_t d, int n) {
    const Index tiles = (patches[d] + n - 1) / n;
    return static_cast<double>(patches[d]) / static_cast<double>(tiles * n);
  };
  const int longest_row = static_cast<int>(one_replica ? 32 * fold : most);
  side(0, longest_row, [&](int x) {
    if (rows && x != row) return;
    side(1, most / x, [&](int y) {
      side(2, most / (x * y), [&](int z) {
        const double volume = x * y * z;
        const double used = volume * filled(0, x) * filled(1, y) * filled(2, z);
        const double halo = (x + (one_replica ? 48.0 : 1.0)) * (y + 1.0) * (z + 1.0);
        // The cost grows with the data that the block reads per site, and with the fraction of idle
        // threads.
        const double cost = halo / used * (most / used);
        if (cost < best.cost) best = {{x, y, z}, cost};
      });
    });
  });
  return best;
}

/// Chooses the sides of a tile of at most `most` patches. For one replica tiles are long rows, for
/// many replicas nearly cubic, so that neighbours are found in the cache. If tiles extend beyond
/// the lattice, some threads idle, and all threads need more registers. So tiles extend
/// beyond the lattice only if the divisors of its size give poor tiles.
std::array<int, 3> choose_tile(const std::array<Index, 3>& patches, int most, bool one_replica,
                               Index fold, int bytes) {
  constexpr double cost_of_idle_threads = 1.15;
  const Tile whole = cheapest_tile(patches, most, one_replica, fold, bytes, false);
  const Tile partial = cheapest_tile(patches, most, one_replica, fold, bytes, true);
  return cost_of_idle_threads * partial.cost < whole.cost ? partial.side : whole.side;
}

/// Parameters that depend on the size of the system.
struct Choice {
  int sites;  ///< sites of a patch
  int split;
  int least_blocks;
  bool draws_ahead;
  int bytes;  ///< bytes of a number that is read
};

StencilShape make_shape(const Stencil& stencil, const std::vector<int>& sublattices, Index replicas,
                        const Choice& choice) {
  const bool one = replicas == 1;
  StencilShape shape;
  shape.lanes = one ? 1 : lane_count;
  shape.split = choice.split;
  shape.least_blocks = choice.least_blocks;
  shape.draws_ahead = choice.draws_ahead;
  const int of_sublattices = largest_divisor(static_cast<Index>(sublattices.size()), choice.sites);
  shape.patches = group(stencil, sublattices, of_sublattices);
  std::array<int, 3> cells{1, 1, 1};
  for (const std::size_t d : {1u, 2u})
    if (of_sublattices * cells[1] * 2 <= choice.sites && stencil.cells[d] % 2 == 0) cells[d] = 2;
  repeat(shape, cells);
  const int sites = shape.sites();
  while (shape.split > 1 && ((sites % shape.split != 0 && shape.split % sites != 0) ||
                             sources_of(stencil, shape.patches.front()) < 4 * shape.split))
    --shape.split;
  shape.kinds_in_block = largest_divisor(static_cast<Index>(shape.patches.size()),
                                         std::max(1, block_threads / (shape.split * 64)));
  const int width = block_threads / (shape.split * shape.kinds_in_block);
  shape.tile = choose_tile(shape.patches_along(stencil), width / shape.lanes, one, stencil.fold[0],
                           choice.bytes);
  if (shape.reaches_over(stencil)) shape.least_blocks = std::min(shape.least_blocks, 4);
  return shape;
}

}  // namespace

std::array<Index, 3> StencilShape::patches_along(const Stencil& stencil) const {
  return {stencil.cells[0] / patch_cells[0], stencil.cells[1] / patch_cells[1],
          stencil.cells[2] / patch_cells[2]};
}

bool StencilShape::reaches_over(const Stencil& stencil) const {
  const std::array<Index, 3> along = patches_along(stencil);
  for (std::size_t d = 0; d < 3; ++d)
    if (along[d] % tile[d] != 0) return true;
  return false;
}

std::array<Index, 3> StencilShape::tiles_along(const Stencil& stencil) const {
  std::array<Index, 3> tiles = patches_along(stencil);
  for (std::size_t d = 0; d < 3; ++d) tiles[d] = (tiles[d] + tile[d] - 1) / tile[d];
  return tiles;
}

std::array<Index, 3> StencilShape::cells_of_tile(const Stencil& stencil) const {
  std::array<Index, 3> cells = stencil.supercell;
  for (std::size_t d = 0; d < 3; ++d) cells[d] *= tile[d] * patch_cells[d];
  return cells;
}

Index StencilShape::blocks(const Stencil& stencil, Index replica_blocks) const {
  const std::array<Index, 3> tiles = tiles_along(stencil);
  return tiles[0] * tiles[1] * tiles[2] * (static_cast<Index>(patches.size()) / kinds_in_block) *
         replica_blocks;
}

Index sources_of(const Stencil& stencil, const std::vector<PatchSite>& patch) {
  std::set<std::array<Index, 4>> sources;
  for (const PatchSite& site : patch)
    for (const SublatticeBond& bond :
         stencil.sublattices[static_cast<std::size_t>(site.sublattice)].bonds) {
      std::array<Index, 4> source{bond.to, 0, 0, 0};
      for (std::size_t d = 0; d < 3; ++d)
        source[d + 1] = (site.cell[d] + bond.shift[d] + 2 * stencil.cells[d]) % stencil.cells[d];
      sources.insert(source);
    }
  return static_cast<Index>(sources.size());
}

StencilShape choose_shape(const Stencil& stencil, const StencilLaunch& launch) {
  std::vector<int> sublattices;
  for (std::size_t s = 0; s < stencil.sublattices.size(); ++s)
    if (launch.colour < 0 || stencil.sublattices[s].colour == launch.colour)
      sublattices.push_back(static_cast<int>(s));
  const auto count = static_cast<Index>(sublattices.size());
  const bool one = launch.replicas == 1;
  const Index spins = stencil.all_cells() * count *
                      (one ? 1 : (launch.replicas + lane_count - 1) / lane_count * lane_count);
  const Index share = spins / launch.multiprocessors;
  const bool narrow = launch.precision == Precision::single_numbers;
  const int bytes = launch.precision == Precision::double_numbers ? 8 : 4;

  if (launch.colour >= 0 && share >= some_sites) {
    // Updates wait for memory, so many threads are useful. Each thread has 40 or 80 registers.
    return make_shape(stencil, sublattices, launch.replicas, {2, 1, narrow ? 6 : 3, false, bytes});
  }
  if (share >= many_sites) {
    // 80 or 128 registers per thread.
    const bool roomy = one && !narrow;
    return make_shape(stencil, sublattices, launch.replicas,
                      {4, one || narrow ? 1 : 2, roomy ? 2 : 3, false, bytes});
  }
  if (share >= some_sites)
    return make_shape(stencil, sublattices, launch.replicas, {2, 2, 2, true, bytes});
  return make_shape(stencil, sublattices, launch.replicas, {2, 8, 1, true, bytes});
}

}  // namespace larmor::spins
