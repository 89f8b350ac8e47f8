#pragma once
// Which replicas are copies of one another: those of the same sample that are at the same rung.

#include <array>
#include <vector>

#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::overlaps {

/// What is averaged over, and whose scatter gives the errors: units that know nothing of one
/// another. Where there are several samples of frozen disorder, each is a unit, with all pairs of
/// its copies. Where there is one only, units are pairs of copies, each copy in one pair.
struct CopyUnits {
  tempering::LadderLayout layout;
  bool are_samples = true;

  /// @param samples of the study; a process may have some of them
  static CopyUnits of(const tempering::LadderLayout& layout, Index samples) {
    return {layout, samples > 1};
  }

  Index count() const { return are_samples ? layout.samples : layout.copies / 2; }
  /// Of ladders. @param unit from 0
  std::vector<std::array<Index, 2>> pairs(Index unit) const;
};

/// The replica at each place, (ladder, rung).
/// @param rungs of each replica, whole numbers @throws InternalError where two are at one rung of a
/// ladder
std::vector<Index> replicas_by_rung(const tempering::LadderLayout& layout,
                                    const std::vector<double>& rungs);

}  // namespace larmor::overlaps
