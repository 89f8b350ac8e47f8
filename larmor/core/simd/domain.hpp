#pragma once
// The part of one lattice that this process updates, where several share it. Every process has
// memory for all vectors; those that it neither updates nor reads may be old.

#include "larmor/core/maths/precision.hpp"

struct CUstream_st;

namespace larmor {

/// Storage positions [first, last).
struct SiteRange {
  Index first, last;
};

/// Some positions: ranges that are ascending and apart.
struct SiteRanges {
  const SiteRange* range;
  Index count;
};

/// A part that is cells of the crystal between two planes.
struct CellSlab {
  int axis;           ///< lattice vector along which the lattice is cut
  Index first, last;  ///< cells along it that this process updates
  Index low, high;    ///< of them so many from either end hold all that others read
};

struct Domain {
  SiteRanges owned;
  /// What of it others read at least, and the rest, which may be empty: `owned` together.
  SiteRanges edge, interior;
  bool is_first;          ///< does this process keep what is counted once for all?
  const CellSlab* cells;  ///< null: the part is no such one
  void* context;          ///< of the functions, which all processes call in the same order
  /// Around an exchange. On a GPU: what is launched on the stream that it gives runs beside what
  /// the GPU's own is given until the join, which makes that one wait. On a CPU: null.
  CUstream_st* (*fork)(void* context);
  /// Brings what others have written at some sites of blocks [first_block, last_block) and this
  /// process reads, in the numbers in which it reads that.
  void (*exchange)(void* context, const Reals& field, const SiteRanges& sites, Index first_block,
                   Index last_block);
  void (*join)(void* context);
  /// Brings everything that others have written of blocks [first_block, last_block) at least, in
  /// the numbers in which sites are read; copies for the sums over bonds stay as they are.
  void (*complete)(void* context, const Reals& field, Index first_block, Index last_block);
  /// The same of parts of `of_part` positions, those from a multiple of it on whose first position
  /// this process owns.
  void (*complete_parts)(void* context, const Reals& field, Index of_part);
  /// Adds the numbers of all processes, all but one of which have zeros or counts: the sum has no
  /// rounding.
  void (*add_up)(void* context, double* numbers, Index count);
  /// The same in the memory of a GPU, behind what was launched before.
  void (*add_up_on_device)(void* context, double* numbers, Index count);
};

/// BITS: positions that partial sums of either backend divide, in either layout. A partial sum is
/// made by the process that owns its first position: what it covers beyond is read like neighbours.
inline constexpr Index partial_sum_grain = 1024;

}  // namespace larmor
