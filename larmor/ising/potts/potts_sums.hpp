#pragma once
// Energy and sites in each state of every replica, as exact integers.

#include "larmor/core/device/pending.hpp"
#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

class PottsSums {
 public:
  explicit PottsSums(const PottsModel& model);

  /// Begins to sum, without waiting for a GPU. (replica, 1 + states): the sum that
  /// EnergyOfReplica takes, then sites in each state.
  Pending begin(PottsState& state);
  /// The energy of each replica as a whole. @param energy where kernels run [replicas]
  void store_energies(PottsState& state, double* energy);
  /// FieldFactorOfReplica of each. @param beta 1 / k_B T @param factor both as `energy`
  void store_field_factors(PottsState& state, const double* beta, double* factor);

 private:
  void sum(PottsState& state);
  /// @param of EnergyOfReplica or FieldFactorOfReplica @param numbers where kernels run [replicas]
  template <class Of>
  void store(PottsState& state, const Of& of, double* numbers);

  const PottsModel* model_;
  Array<double> sums_;
};

}  // namespace larmor::ising
