#pragma once
// The part of one lattice that this process updates, where several share it. Every process has
// memory for all vectors; those that it neither updates nor reads may be old.

#include "larmor/core/precision.hpp"

namespace larmor {

/// Storage positions [first, last).
struct SiteRange {
  Index first, last;
};

struct Slab {
  const SiteRange* owned;  ///< ascending, whole chunks of sums (`slab_grain`)
  Index count;             ///< of `owned`
  bool is_first;           ///< does this process keep what is counted once for all?
  void* context;           ///< of the functions, which all processes call in the same order
  /// Brings what others have written at some sites of blocks [first_block, last_block) and this
  /// process reads.
  void (*exchange)(void* context, const Reals& field, const SiteRange& sites, Index first_block,
                   Index last_block);
  /// Brings everything that others have written.
  void (*complete)(void* context, const Reals& field);
  /// Adds the numbers of all processes, all but one of which have zeros or counts: the sum has no
  /// rounding.
  void (*add_up)(void* context, double* numbers, Index count);
};

/// Positions that one process owns together: what a partial sum covers, in either layout.
inline constexpr Index slab_grain = 512;

}  // namespace larmor
