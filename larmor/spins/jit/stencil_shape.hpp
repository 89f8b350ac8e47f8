#pragma once
// Distribution of the sites of a JIT kernel over the threads of a GPU.
//
// A thread sums the bonds of a patch of neighbouring sites together, and reads a neighbour of
// several of these sites only once. Patches extend over sublattices and along the second and third
// lattice vector, never along the first. So adjacent threads have adjacent sites along the first
// vector, and reads are contiguous. BITS: the order of sums over bonds and sites follows from the
// shape. The shape follows from the model, the replicas of the study and the kind of GPU. If a
// system is too small to keep a GPU busy, patches are small and several threads share the sum of
// one patch.

#include <array>
#include <vector>

#include "larmor/core/maths/precision.hpp"
#include "larmor/spins/hamiltonian/stencil.hpp"

namespace larmor::spins {

/// A site of a patch: a sublattice, and the cell relative to the first cell of the patch.
struct PatchSite {
  int sublattice;
  std::array<int, 3> cell;
};

struct StencilShape {
  std::vector<std::vector<PatchSite>> patches;  ///< patches of one size that cover the lattice
  std::array<int, 3> patch_cells{1, 1, 1};      ///< cells of a patch
  std::array<int, 3> tile{1, 1, 1};             ///< patches of one kind in a thread block
  int lanes = 1;                                ///< adjacent replicas in a thread block
  int split = 1;                                ///< threads that share the sum of a patch
  int kinds_in_block = 1;                       ///< kinds of `patches` in a thread block
  int least_blocks = 1;      ///< thread blocks that fit on a multiprocessor; limits registers
  bool draws_ahead = false;  ///< draw random numbers before waiting for the spins?

  int sites() const { return static_cast<int>(patches.front().size()); }
  /// Threads for one kind of patches in a thread block, rounded up to whole warps.
  int width() const { return (tile[0] * tile[1] * tile[2] * lanes + 31) / 32 * 32; }
  int threads() const { return width() * split * kinds_in_block; }
  /// Number of patches along each lattice vector.
  std::array<Index, 3> patches_along(const Stencil& stencil) const;
  /// Do tiles extend beyond the lattice?
  bool reaches_over(const Stencil& stencil) const;
  /// Number of tiles along each lattice vector; the last may extend beyond the lattice.
  std::array<Index, 3> tiles_along(const Stencil& stencil) const;
  /// Crystal cells of a tile along each lattice vector.
  std::array<Index, 3> cells_of_tile(const Stencil& stencil) const;
  /// Number of thread blocks for some blocks of replicas.
  Index blocks(const Stencil& stencil, Index replica_blocks) const;
};

/// Data on which the choice of a shape depends.
struct StencilLaunch {
  int colour = -1;  ///< colour of the sublattices; -1: all sublattices
  Index replicas = 1;
  Precision precision = Precision::double_numbers;
  int multiprocessors = 132;
};

StencilShape choose_shape(const Stencil& stencil, const StencilLaunch& launch);

/// Number of vectors that the sums of a patch read.
Index sources_of(const Stencil& stencil, const std::vector<PatchSite>& patch);

}  // namespace larmor::spins
