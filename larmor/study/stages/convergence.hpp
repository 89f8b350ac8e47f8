#pragma once
// How far a stage is that ends on convergence: nobody knows beforehand how many steps it takes, but
// what has to fall to the tolerance tells how far it has come.

#include <optional>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// Where such a stage is.
struct Approach {
  double size = 0;       ///< what has to fall to the tolerance: the largest torque or force
  double tolerance = 0;  ///< positive
  Index part = 0;        ///< of `parts` that converge one after the other: the fields of a sweep
  Index parts = 1;
};

/// Follows a stage. The size falls about exponentially near a minimum, so that its logarithm is the
/// measure of the way.
class WayToConvergence {
 public:
  /// @param now seconds, of any clock that only rises
  void note(const Approach& approach, double now);

  /// From 0 to 1, never falling: the parts done and, of the part under way, how much of the way
  /// from its first size to the tolerance lies behind, in logarithms.
  double share() const { return share_; }
  /// Until the end of the stage; nothing where the past does not tell. Of several parts they are
  /// expected to take as long as those before. Of one part a straight line through the logarithms
  /// of the later half of its time is continued, if they lie near one, and not for long.
  std::optional<double> seconds_left() const;

 private:
  struct Sample {
    double time, log_size;
  };

  std::optional<double> seconds_by_parts() const;
  std::optional<double> seconds_by_fit() const;

  Approach latest_;
  double first_ = 0, least_ = 0;  ///< sizes of the part under way
  double begun_ = 0, now_ = 0;    ///< of the first part seen
  Index first_part_ = -1;
  double share_ = 0;
  std::vector<Sample> samples_;  ///< of the part under way, evenly thinned out
};

}  // namespace larmor::study
