#pragma once
// Segments of a trajectory.
//
// A segment begins in a configuration that stayed in its state for the correlation time tau_c. So
// the configuration is a sample of the quasi-stationary distribution (QSD) of this state: the limit
// of the distribution of configurations that have not left. Its errors are of the order of
// exp(-(l_2 - l_1) tau_c), with the two lowest rates l_1, l_2 of the dynamics that end on leaving
// the state. A segment lasts at least `segment_steps` steps. It ends when the last tau_c passed
// within one state, so its end too is a sample of a QSD.
//
// Segment k of a state begins at the end of segment k - `lanes` of this state, if the latter ended
// in the state where it began. Otherwise it is dephased: a trajectory from the reference of the
// state, which begins again whenever it leaves, until it stayed for tau_c. So each end is the begin
// of at most one segment, and its content follows from (seed, state, k) and the reference.
//
// Sources: D. Perez, E. D. Cubuk, A. Waterland, E. Kaxiras and A. F. Voter, J. Chem. Theory Comput.
// 12, 18 (2016); C. Le Bris, T. Lelievre, M. Luskin and D. Perez, Monte Carlo Methods Appl. 18, 119
// (2012) for dephasing and its errors.

#include <atomic>
#include <compare>
#include <optional>
#include <vector>

#include "larmor/parsplice/trajectory.hpp"

namespace larmor::parsplice {

/// How segments are made. Every number has a part in the bits of the trajectory.
struct SegmentRule {
  std::uint64_t seed;
  Index segment_steps;      ///< least steps of a segment, at least 1
  Index correlation_steps;  ///< tau_c in steps; 0 for the dynamics of a Markov chain of states
  Index lanes = 64;         ///< most segments of a state that can run at a time
  /// @throws InputError for a number that is out of range
  void validate() const;
  friend bool operator==(const SegmentRule&, const SegmentRule&) = default;
};

struct SegmentName {
  StateLabel state;
  Index number;  ///< counts the segments that begin in this state
  friend auto operator<=>(const SegmentName&, const SegmentName&) = default;
};

/// All that a worker needs to make a segment.
struct SegmentTask {
  SegmentName name;
  Configuration begin;
  bool is_decorrelated;  ///< if false, `begin` is the reference of the state
};

struct Segment {
  SegmentName name;
  std::vector<Stay> stays;  ///< the last one may have no steps
  Configuration end;
  Index work;  ///< steps with those of dephasing

  StateLabel end_state() const { return stays.back().state; }
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// BITS: the seed of all random numbers of a segment.
std::uint64_t seed_of(std::uint64_t seed, const SegmentName& name);

/// Makes a segment, one call of the system after the other. So a caller can make the calls of many
/// segments together.
class SegmentMaker {
 public:
  /// @param system, rule outlive this
  SegmentMaker(const SegmentSystem& system, const SegmentRule& rule, SegmentTask task);

  const SegmentName& name() const { return task_.name; }
  bool is_done() const { return left() <= 0; }
  /// The next call.
  /// @throws InputError if the system does not stay in a state for the correlation time
  AdvanceRequest request();
  /// Takes the result of the call. @throws InputError if the system hardly ever stays in the state
  /// for the correlation time
  void take(const Advance& advance);
  /// The segment, once it is done.
  Segment segment() const;

 private:
  Index left() const;

  const SegmentSystem& system_;
  const SegmentRule& rule_;
  SegmentTask task_;
  Configuration configuration_;
  RandomKey key_;
  bool is_decorrelated_;
  Index asked_ = 0, steps_ = 0, returns_ = 0;
  Index stayed_;  ///< steps since the last change of state
  std::vector<Stay> stays_;
};

/// Advances until `correlation_steps` steps in a row stayed in the state of the reference. The
/// step of the key advances too.
/// @throws InputError if a replica hardly ever stays that long
Configuration dephased(const SegmentSystem& system, Index correlation_steps,
                       const Configuration& reference, RandomKey& key);

/// @throws InputError if the system does not stay in a state for the correlation time
Segment made_segment(const SegmentSystem& system, const SegmentRule& rule, const SegmentTask& task);
/// The segment, or nothing if `stop` became true before the end. The segment is then lost.
std::optional<Segment> made_segment(const SegmentSystem& system, const SegmentRule& rule,
                                    const SegmentTask& task, const std::atomic<bool>& stop);

}  // namespace larmor::parsplice
