#pragma once
// Estimates the progress of a stage that ends on convergence. Its number of steps is not known
// beforehand, so the progress follows from a residual that falls to the tolerance.

#include <optional>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// The residual of a stage at one moment. The stage ends when the residual falls to the tolerance.
struct Residual {
  double value = 0;      ///< the largest torque or force
  double tolerance = 0;  ///< positive
  Index index = 0;  ///< among `count` minimisations that converge one after the other: the fields
                    ///< of a sweep
  Index count = 1;
};

/// Follows a stage. The residual falls about exponentially near a minimum, so progress is measured
/// in its logarithm.
class ConvergenceEstimate {
 public:
  /// @param now seconds, on any clock that never goes back
  void note(const Residual& residual, double now);

  /// The progress, from 0 to 1, which never falls. It counts the finished minimisations and a
  /// fraction of the current one: the logarithmic distance from its first residual towards the
  /// tolerance.
  double fraction() const { return fraction_; }
  /// Seconds until the end of the stage; nothing if the past allows no estimate. If there are
  /// several minimisations, each is expected to take as long as the earlier ones. For a single
  /// minimisation, a straight line is drawn through the logarithms of its residuals in the later
  /// half of its time. The estimate extrapolates this line, if the points lie near it and the
  /// extrapolation is short.
  std::optional<double> seconds_left() const;

 private:
  struct Sample {
    double time, log_residual;
  };

  std::optional<double> seconds_by_count() const;
  std::optional<double> seconds_by_fit() const;

  Residual latest_;
  double first_ = 0, least_ = 0;  ///< residuals of the current minimisation
  double begun_ = 0, now_ = 0;    ///< start of the first minimisation seen
  Index first_index_ = -1;
  double fraction_ = 0;
  std::vector<Sample> samples_;  ///< samples of the current minimisation, evenly thinned out
};

}  // namespace larmor::study
