#pragma once
// Updates single sites of all replicas, colour by colour, by Metropolis, heat bath or
// over-relaxation. The results depend neither on threads nor on the device.

#include <vector>

#include "larmor/phi4/field_state.hpp"
#include "larmor/phi4/update_kernel.hpp"

namespace larmor::phi4 {

/// Does a heat bath exist for fields of N components at this lambda?
bool has_heat_bath(int components, double lambda);

class FieldSampler {
 public:
  /// @param model must outlive the sampler
  FieldSampler(const FieldModel& model, std::uint64_t seed);

  /// Updates all sites of all replicas, and advances the step of the state by one for each sweep.
  /// @param state a state of the sampler's model
  /// @throws InputError for a heat bath if none exists for this model
  void run(FieldState& state, LocalRule rule, Index sweeps);

  /// Acceptance of Metropolis trials since reset_acceptance [replicas of the process]
  std::vector<double> acceptance() const;
  void reset_acceptance();
  /// Lengthens trials that are accepted often, and shortens all other trials. Then resets the
  /// acceptance.
  /// @return is the acceptance of every replica at least a fifth?
  bool tune();
  /// Length of trials of each replica [replicas of the process]
  std::vector<double> step_lengths() const { return step_length_.to_host(); }
  /// The arrays on the device, for code that exchanges entries between replicas.
  double* step_lengths_on_device() { return step_length_.data(); }
  std::uint64_t* accepted_on_device() { return accepted_.data(); }

  /// Overwrites trial lengths of replicas with the lengths of other replicas: see
  /// larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  /// The counts from which acceptance() is computed: accepted trials [replicas of the process], and
  /// sweeps.
  std::vector<double> accepted() const;
  Index sweeps() const { return sweeps_; }
  /// Sets the counts and the trial lengths to those of a checkpoint.
  void restore(const std::vector<double>& accepted, Index sweeps,
               const std::vector<double>& step_lengths);

 private:
  const FieldModel* model_;
  std::uint64_t seed_;
  Array<double> step_length_;
  Array<std::uint64_t> accepted_;
  Index sweeps_ = 0;  ///< sweeps of Metropolis since acceptance was reset
};

}  // namespace larmor::phi4
