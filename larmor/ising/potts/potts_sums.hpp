#pragma once
// The energy of every replica and the numbers of sites in each state, as exact integers.

#include "larmor/core/device/pending.hpp"
#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

class PottsSums {
 public:
  explicit PottsSums(const PottsModel& model);

  /// Starts the sums without waiting for a GPU. Returns (replica, 1 + states): the argument of
  /// EnergyOfReplica, then the numbers of sites in each state.
  Pending begin(PottsState& state);
  /// Stores the total energy of each replica. @param energy on the device [replicas]
  void store_energies(PottsState& state, double* energy);
  /// Stores FieldFactorOfReplica of each replica. @param beta 1 / k_B T, on the device [replicas]
  /// @param factor on the device [replicas]
  void store_field_factors(PottsState& state, const double* beta, double* factor);

 private:
  void sum(PottsState& state);
  /// @tparam Function EnergyOfReplica or FieldFactorOfReplica
  /// @param numbers on the device [replicas]
  template <class Function>
  void store(PottsState& state, const Function& function, double* numbers);

  const PottsModel* model_;
  Array<double> sums_;
};

}  // namespace larmor::ising
