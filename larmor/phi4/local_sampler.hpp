#pragma once
// Updates of single sites of all replicas, colour by colour: Metropolis, heat bath,
// over-relaxation. What comes out depends neither on threads nor on the device.

#include <vector>

#include "larmor/phi4/field_state.hpp"
#include "larmor/phi4/update_kernel.hpp"

namespace larmor::phi4 {

/// Is there a heat bath for fields of N components at this lambda?
bool has_heat_bath(int components, double lambda);

class LocalSampler {
 public:
  /// @param model outlives it
  LocalSampler(const FieldModel& model, std::uint64_t seed);

  /// @param state of the model
  /// @throws InputError for a heat bath that there is not
  void run(FieldState& state, LocalRule rule, Index sweeps);

  /// Of Metropolis trials, since reset_acceptance [replicas of the process]
  std::vector<double> acceptance() const;
  void reset_acceptance();
  /// Longer or shorter trials by what was accepted, which is forgotten.
  /// @return are a fifth of the trials of every replica accepted?
  bool tune();
  /// Length of trials of each replica [replicas of the process]
  std::vector<double> step_lengths() const { return step_length_.to_host(); }
  /// Where kernels run, for those who exchange them.
  double* step_lengths_on_device() { return step_length_.data(); }
  std::uint64_t* accepted_on_device() { return accepted_.data(); }

  /// Replicas take over the trials of others: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  /// What acceptance is counted from: trials accepted [replicas of the process], and sweeps.
  std::vector<double> accepted() const;
  Index sweeps() const { return sweeps_; }
  void restore(const std::vector<double>& accepted, Index sweeps,
               const std::vector<double>& step_lengths);

 private:
  const FieldModel* model_;
  std::uint64_t seed_;
  Array<double> step_length_;
  Array<std::uint64_t> accepted_;
  Index sweeps_ = 0;  ///< of Metropolis, since acceptance was reset
};

}  // namespace larmor::phi4
