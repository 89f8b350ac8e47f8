#pragma once
// Estimates the progress of a stage that ends on convergence. Its number of steps is not known
// beforehand, so the progress follows from a residual that falls to the tolerance.

#include <optional>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// The progress of such a stage.
struct Approach {
  double size = 0;       ///< residual, which has to fall to the tolerance: the largest torque or
                         ///< force
  double tolerance = 0;  ///< positive
  Index part = 0;        ///< index among `parts` that converge one after the other: the fields of a
                         ///< sweep
  Index parts = 1;
};

/// Follows a stage. The residual falls about exponentially near a minimum, so progress is measured
/// in its logarithm.
class WayToConvergence {
 public:
  /// @param now seconds, on any clock that never goes back
  void note(const Approach& approach, double now);

  /// From 0 to 1, never falling. It counts the finished parts and a fraction of the current one:
  /// the logarithmic way from its first residual towards the tolerance.
  double share() const { return share_; }
  /// Seconds until the end of the stage; nothing if the past allows no estimate. Each of several
  /// parts is expected to take as long as the earlier ones. For a single part, a straight line
  /// through the logarithms of the later half of its time is extrapolated. The points must lie near
  /// a line, and the extrapolation is short.
  std::optional<double> seconds_left() const;

 private:
  struct Sample {
    double time, log_size;
  };

  std::optional<double> seconds_by_parts() const;
  std::optional<double> seconds_by_fit() const;

  Approach latest_;
  double first_ = 0, least_ = 0;  ///< residuals of the current part
  double begun_ = 0, now_ = 0;    ///< start of the first part seen
  Index first_part_ = -1;
  double share_ = 0;
  std::vector<Sample> samples_;  ///< samples of the current part, evenly thinned out
};

}  // namespace larmor::study
