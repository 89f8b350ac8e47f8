#pragma once
// A Potts or Ising model on any graph: bonds, couplings and colours, on the device.
//
// Couplings are whole numbers of one quantum. Energies are then exact integers that do not depend
// on the order of summation, and all devices decide alike.

#include <cstdint>
#include <functional>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"
#include "larmor/lattice/coupled_pair.hpp"

namespace larmor::ising {

/// Largest multiple of the quantum; quantum_of rounds couplings that would need more.
inline constexpr std::int32_t most_multiple = 1 << 20;

/// A quantum of which all numbers are multiples, up to most_multiple: the least number divided by 1
/// to 60. If none fits, quantum_of_largest. @param numbers finite
double quantum_of(const std::vector<double>& numbers);

/// 2^-30 of the largest number; the others are rounded to multiples of it.
double quantum_of_largest(double largest);

/// The nearest multiple.
std::int32_t in_quanta(double number, double quantum);

/// Arguments of a PottsModel.
struct PottsDefinition {
  Index sites = 0;
  bool ising = false;  ///< s = +1 and -1, with -J s s' and -h s instead of deltas
  int states = 2;      ///< q, 2 to 255; 2 for Ising
  std::vector<lattice::CoupledPair>
      bonds;         ///< each once; couplings of several bonds between two sites are added
  double field = 0;  ///< h
  std::vector<double> fields = {};  ///< further fields for replicas
  bool has_fields_between = false;  ///< may replicas take any field up to the largest of these?
  /// Added to J of a bond in a replica, with replicas counted in the study; empty: nothing.
  std::function<double(Index bond, Index replica)> of_replica = {};
  /// With of_replica: all values of couplings; for a continuous distribution only `largest`.
  std::vector<double> values = {};
  double largest = 0;
};

class PottsModel {
 public:
  /// @param replicas replicas of this process
  /// @throws InputError for more than 2^31 - 1 bonds or sites
  PottsModel(const Device& device, const PottsDefinition& definition, const ReplicaShare& replicas);

  Index sites() const { return sites_; }
  Index positions() const { return site_.size(); }
  int states() const { return states_; }
  bool is_ising() const { return ising_; }
  const ReplicaShare& replicas() const { return replicas_; }
  const Device& device() const { return site_.device(); }
  Index most_bonds() const { return most_bonds_; }
  /// Are couplings not multiples of one number, and thus rounded?
  bool rounds_couplings() const { return rounds_; }
  /// First positions of the colours, multiples of positions_of_key, and the end [colours + 1]
  const std::vector<Index>& colour_begin() const { return colour_begin_; }
  /// Position of each site, on the host [sites]
  const std::vector<std::int32_t>& position_of() const { return position_of_; }

  /// Sets the field of each replica, instead of that of the definition. @param field h, one of
  /// those in the definition [replicas of the process]
  void set_fields(const std::vector<double>& field);
  /// Fields in quanta, for code that changes them on the device. [replicas of the process]
  double* fields_on_device() { return field_.data(); }
  /// The fields in quanta, as the device has them now.
  Pending fields_async() const { return numbers_async(field_); }

  /// A view without states, temperatures, rule and random numbers.
  PottsView view() const;
  /// Table entries for the probabilities of one replica; 0: no table, since gains are too many.
  Index table_entries() const { return most_ > most_tabulated ? 0 : 2 * most_ + 1; }
  /// For use on the host. @param field from fields_async; must outlive the result
  EnergyOfReplica energy_of_replica(const std::vector<double>& field) const;
  /// For use on the device.
  EnergyOfReplica energy_of_replica_on_device() const;
  /// For use on the device. @param beta 1 / k_B T [replica]
  FieldFactorOfReplica field_factor_on_device(const double* beta) const;

 private:
  static constexpr Index most_tabulated = 2048;

  ReplicaShare replicas_;
  Index sites_;
  int states_;
  bool ising_;
  bool rounds_ = false, needs_lazy_sweeps_ = false;
  double quantum_ = 1;
  Index most_ = 0;
  Index most_bonds_ = 0;
  std::vector<Index> constant_;  ///< see EnergyOfReplica
  Array<Index> constant_on_device_;
  std::vector<Index> colour_begin_;
  std::vector<std::int32_t> position_of_;
  Array<double> field_;  ///< in quanta [replica]
  Array<std::int32_t> site_;
  Array<Index> first_bond_;
  Array<std::int32_t> neighbour_, coupling_;
  Index couplings_of_replica_ = 0;
};

/// Bytes of a model on the device; the host needs about as many during construction.
/// @param own replicas with different couplings; 0: all have equal ones
double model_bytes(double sites, double bonds, double own);

}  // namespace larmor::ising
