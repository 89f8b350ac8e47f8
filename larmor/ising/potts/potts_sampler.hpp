#pragma once
// Updates single sites of all replicas, colour by colour, by Metropolis, Glauber or heat bath. The
// results depend neither on threads nor on the device.

#include <vector>

#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

class PottsSampler {
 public:
  /// @param model must outlive the sampler
  PottsSampler(const PottsModel& model, Rule rule, std::uint64_t seed);

  /// @param thermal_energy k_B T, positive [replicas of the process]
  void set_temperatures(const std::vector<double>& thermal_energy);
  /// @param state a state of the sampler's model
  void run(PottsState& state, Index sweeps);

  void reset_acceptance();
  /// Changes of state per update since reset_acceptance [replicas of the process]
  std::vector<double> acceptance() const;

  /// 1 / k_B T of each replica; a ReplicaExchange may change it before the next run.
  double* betas_on_device();
  const double* betas() const { return beta_.data(); }
  std::uint64_t* accepted_on_device() { return accepted_.data(); }

  /// The counts from which acceptance() is computed: changes of state [replicas of the process],
  /// and sweeps.
  std::vector<double> accepted() const;
  Index sweeps() const { return sweeps_; }
  void restore(const std::vector<double>& accepted, Index sweeps);

 private:
  void fill_table();
  /// A view without the table.
  PottsView view_of(PottsState& state);
  void sweep_singly(PottsView view, Index sweeps);

  const PottsModel* model_;
  Rule rule_;
  std::uint64_t seed_;
  Array<double> beta_;
  Array<std::uint64_t> table_;
  Array<std::uint64_t> accepted_;
  bool table_is_old_ = true;
  Index sweeps_ = 0;  ///< number of sweeps since acceptance was reset
};

}  // namespace larmor::ising
