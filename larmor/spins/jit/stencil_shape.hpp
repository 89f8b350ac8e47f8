#pragma once
// How a JIT kernel spreads sites over the threads of a GPU.
//
// A thread sums the bonds of a patch of neighbouring sites together, so that a neighbour of several
// of them is read once. Patches reach over sublattices and along the second and third lattice
// vector, never along the first: threads side by side have sites side by side there, and reads stay
// contiguous. BITS: the order in which bonds and sites are added up follows from the shape, and
// this from the model, the replicas of the study and the kind of GPU. Where a system is too small
// to keep a GPU busy, patches are small and several threads share the sum of one.

#include <array>
#include <vector>

#include "larmor/core/maths/precision.hpp"
#include "larmor/spins/hamiltonian/stencil.hpp"

namespace larmor::spins {

/// A site of a patch: a sublattice, and the cell counted from the patch's first.
struct PatchSite {
  int sublattice;
  std::array<int, 3> cell;
};

struct StencilShape {
  std::vector<std::vector<PatchSite>> patches;  ///< patches of one size make up the lattice
  std::array<int, 3> patch_cells{1, 1, 1};      ///< cells that a patch reaches over
  std::array<int, 3> tile{1, 1, 1};             ///< patches of one kind in a block of threads
  int lanes = 1;                                ///< replicas side by side
  int split = 1;                                ///< threads that share the sum of a patch
  int kinds_in_block = 1;                       ///< of `patches`
  int least_blocks = 1;      ///< resident on a multiprocessor, which bounds registers
  bool draws_ahead = false;  ///< are random numbers drawn before the spins are waited for?

  int sites() const { return static_cast<int>(patches.front().size()); }
  /// Threads of a kind of patches in a block, whole warps.
  int width() const { return (tile[0] * tile[1] * tile[2] * lanes + 31) / 32 * 32; }
  int threads() const { return width() * split * kinds_in_block; }
  /// Patches along each lattice vector.
  std::array<Index, 3> patches_along(const Stencil& stencil) const;
  /// Do tiles reach over the end of the lattice?
  bool reaches_over(const Stencil& stencil) const;
  /// Tiles along each lattice vector; the last one may reach over the end.
  std::array<Index, 3> tiles_along(const Stencil& stencil) const;
  /// Crystal cells along each lattice vector that a tile reaches over.
  std::array<Index, 3> cells_of_tile(const Stencil& stencil) const;
  /// Blocks of threads for some blocks of replicas.
  Index blocks(const Stencil& stencil, Index replica_blocks) const;
};

/// What the choice depends on.
struct StencilLaunch {
  int colour = -1;  ///< sublattices of one colour; -1: all
  Index replicas = 1;
  Precision precision = Precision::double_numbers;
  int multiprocessors = 132;
};

StencilShape choose_shape(const Stencil& stencil, const StencilLaunch& launch);

/// Vectors that the sums of a patch read.
Index sources_of(const Stencil& stencil, const std::vector<PatchSite>& patch);

}  // namespace larmor::spins
