#pragma once
// A trajectory from state to state: the stays, in order. A step counts for the state in which it
// began.

#include <span>
#include <vector>

#include "larmor/parsplice/segment_system.hpp"

namespace larmor::parsplice {

struct Stay {
  StateLabel state;
  Index steps;
  friend bool operator==(const Stay&, const Stay&) = default;
};

class Trajectory {
 public:
  explicit Trajectory(StateLabel first) : stays_{{first, 0}} {}

  /// Continues by `steps` steps that begin in the present state.
  void stay(Index steps);
  /// Is in `state` from now on. The present state may be named again.
  void enter(StateLabel state);
  /// Continues by the stays of a segment.
  /// @throws InternalError if the segment begins in another state than the present one
  void append(std::span<const Stay> segment);

  StateLabel state() const { return stays_.back().state; }
  Index steps() const { return steps_; }
  /// Neighbours in this list have different states.
  const std::vector<Stay>& stays() const { return stays_; }
  /// Its first steps. @throws InternalError if it is shorter
  Trajectory first(Index steps) const;
  /// `count` consecutive parts of equal length, for error bars. Steps that remain are left out.
  /// @throws InternalError if there are fewer steps than parts
  std::vector<Trajectory> parts(Index count) const;

 private:
  std::vector<Stay> stays_;
  Index steps_ = 0;
};

}  // namespace larmor::parsplice
