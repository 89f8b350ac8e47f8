#pragma once
// The sites that this process updates, if several processes share a lattice. Every process has
// memory for all vectors. Vectors that it neither updates nor reads may be outdated.

#include "larmor/core/maths/precision.hpp"

struct CUstream_st;

namespace larmor {

/// Storage positions [first, last).
struct SiteRange {
  Index first, last;
};

/// Storage positions as ascending, disjoint ranges.
struct SiteRanges {
  const SiteRange* range;
  Index count;
};

/// A share that consists of the cells of the crystal between two planes.
struct CellSlab {
  int axis;           ///< lattice vector along which the lattice is divided
  Index first, last;  ///< cells along this axis that the process updates
  Index low, high;  ///< numbers of cells at each end that hold all sites that other processes read
};

struct Domain {
  SiteRanges owned;
  /// `owned` divided in two. `edge` has at least the sites that other processes read. `interior`
  /// has the rest, which may be empty.
  SiteRanges edge, interior;
  bool is_first;          ///< does this process hold the counts that only one process keeps?
  const CellSlab* cells;  ///< null if the share is not a CellSlab
  void* context;          ///< argument of the functions, which all processes call in the same order
  /// Begins an exchange; `join` ends it. On a GPU it returns a stream. Launches on it run
  /// concurrently with those on the GPU's own stream until `join`, which makes that stream wait. On
  /// a CPU it returns null.
  CUstream_st* (*fork)(void* context);
  /// Receives the numbers at `sites` of blocks [first_block, last_block) that other processes have
  /// written and this process reads. The numbers have the precision in which this process reads
  /// them.
  void (*exchange)(void* context, const Reals& field, const SiteRanges& sites, Index first_block,
                   Index last_block);
  void (*join)(void* context);
  /// Receives all numbers that other processes have written, at least of blocks [first_block,
  /// last_block), in the precision of sites. Copies for the sums over bonds stay unchanged.
  void (*complete)(void* context, const Reals& field, Index first_block, Index last_block);
  /// Blocks of `block_sites` positions begin at multiples of `block_sites`. For each block whose
  /// first position this process owns, receives the other positions. The precision is as in
  /// `complete`.
  void (*complete_site_blocks)(void* context, const Reals& field, Index block_sites);
  /// Adds the numbers of all processes. They are counts, or zeros except on one process, so that
  /// the sum has no rounding.
  void (*add_up)(void* context, double* numbers, Index count);
  /// add_up in the memory of a GPU, after all earlier launches.
  void (*add_up_on_device)(void* context, double* numbers, Index count);
};

/// BITS: a multiple of the number of positions of every partial sum, on both backends and in both
/// layouts. The process that owns the first position of a partial sum computes it, and reads the
/// other positions like neighbours.
inline constexpr Index partial_sum_grain = 1024;

}  // namespace larmor
