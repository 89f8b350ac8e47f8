#pragma once
// The interface of a system with dynamics and states, such as particles in wells of a potential.
//
// The dynamics are a Markov chain in discrete time. Each configuration belongs to one state, which
// has a label of 64 bits. A system gives the same bits for equal arguments, on every thread.

#include <limits>
#include <span>
#include <vector>

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/types.hpp"

namespace larmor::parsplice {

using StateLabel = std::uint64_t;
using Configuration = std::vector<double>;

/// The part of a trajectory that a call of `SegmentSystem::advance` made.
struct Advance {
  Index steps;       ///< at least 1
  StateLabel state;  ///< after the last of these steps
};

/// The arguments of a call of `SegmentSystem::advance`.
struct AdvanceRequest {
  std::span<double> configuration;
  Index steps;
  RandomKey key;
};

class SegmentSystem {
 public:
  virtual ~SegmentSystem() = default;

  /// Numbers of a configuration.
  virtual Index numbers() const = 0;
  /// Most steps of one call of `advance`, so that callers can stop between two calls.
  virtual Index most_steps_of_call() const { return std::numeric_limits<Index>::max(); }
  virtual StateLabel state(std::span<const double> configuration) const = 0;
  /// A typical configuration of the state of `configuration`, such as the minimum of its energy.
  /// BITS: trajectories are independent of the schedule if it depends on the state only.
  virtual Configuration reference(std::span<const double> configuration) const = 0;
  /// Advances the configuration by at most `steps` steps. Stops early after a step that changed the
  /// state.
  /// @param steps at least 1
  /// @param key its step is that of the first step of this call. Random numbers may depend on the
  /// steps of the key only such that no two steps share one.
  virtual Advance advance(std::span<double> configuration, Index steps,
                          const RandomKey& key) const = 0;

  /// The number of calls that keep the device busy if they are made together. 1: threads make
  /// calls one by one.
  virtual Index calls_together() const { return 1; }
  /// Makes several calls of `advance`. The result of a call does not depend on the others.
  virtual std::vector<Advance> advance_together(std::span<const AdvanceRequest> requests) const {
    std::vector<Advance> advances;
    for (const AdvanceRequest& request : requests)
      advances.push_back(advance(request.configuration, request.steps, request.key));
    return advances;
  }
};

/// A system of particles or atoms. Their places are the first numbers of a configuration.
class MatterSystem : public SegmentSystem {
 public:
  virtual Index numbers_of_places() const = 0;
  /// The potential energy.
  virtual double energy(std::span<const double> configuration) const = 0;
};

}  // namespace larmor::parsplice
