#pragma once
// Averages over time of the overlaps of pairs of copies, one for each unit and rung. Estimates use
// these averages, and need no series.

#include <algorithm>
#include <utility>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::overlaps {

class OverlapAverages {
 public:
  OverlapAverages() = default;
  OverlapAverages(Index units, Index rungs, Index numbers)
      : rungs_(rungs),
        numbers_(numbers),
        sums_(static_cast<std::size_t>(units * rungs * numbers)) {}

  /// The sums of a unit at a rung, to which the numbers of a measurement are added.
  double* sums_of(Index unit, Index rung) {
    return sums_.data() + (unit * rungs_ + rung) * numbers_;
  }
  /// Counts a measurement, after its numbers were added for all units and rungs.
  void count_measurement() { ++measurements_; }
  void clear() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    measurements_ = 0;
  }

  /// Number of measurements in the sums.
  Index measurements() const { return measurements_; }
  Index numbers_of_unit() const { return rungs_ * numbers_; }
  /// (unit, rung, number)
  const std::vector<double>& sums() const { return sums_; }
  void restore(std::vector<double> sums, Index measurements) {
    sums_ = std::move(sums);
    measurements_ = measurements;
  }

 private:
  Index rungs_ = 0, numbers_ = 0;
  std::vector<double> sums_;
  Index measurements_ = 0;
};

}  // namespace larmor::overlaps
