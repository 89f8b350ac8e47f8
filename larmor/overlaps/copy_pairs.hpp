#pragma once
// Pairs of copies: replicas of one sample at one rung.

#include <array>
#include <vector>

#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::overlaps {

/// Independent units, over which averages are taken and whose scatter gives the errors. If there
/// are several samples of quenched disorder, a unit is a sample with all pairs of its copies. If
/// there is one sample, a unit is a pair of copies, and each copy is in one pair.
struct CopyUnits {
  tempering::LadderLayout layout;
  bool are_samples = true;

  /// @param samples number of samples of the study, also if a process has only some of them
  static CopyUnits of(const tempering::LadderLayout& layout, Index samples) {
    return {layout, samples > 1};
  }

  Index count() const { return are_samples ? layout.samples : layout.copies / 2; }
  /// Pairs of ladders whose copies the unit compares. @param unit counted from 0
  std::vector<std::array<Index, 2>> pairs(Index unit) const;
};

/// The replica at each place, (ladder, rung).
/// @param rungs the rung of each replica, a whole number @throws InternalError if two replicas are
/// at one rung of a ladder
std::vector<Index> replicas_by_rung(const tempering::LadderLayout& layout,
                                    const std::vector<double>& rungs);

}  // namespace larmor::overlaps
