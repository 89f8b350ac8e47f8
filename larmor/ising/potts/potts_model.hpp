#pragma once
// A Potts or Ising model on any graph: bonds, couplings and colours, on the device.
//
// Couplings are whole numbers of one quantum. Energies are therefore exact integers that do not
// depend on the order of summation, and all devices make equal decisions.

#include <cstdint>
#include <functional>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"
#include "larmor/lattice/coupled_pair.hpp"

namespace larmor::ising {

/// Largest multiple of the quantum that quantum_of accepts. If a coupling needs a larger multiple,
/// couplings are rounded.
inline constexpr std::int32_t most_multiple = 1 << 20;

/// A quantum of which all numbers are multiples, up to most_multiple. It is the least number
/// divided by a whole number from 1 to 60. If no such quantum exists, returns quantum_of_largest.
/// @param numbers finite
double quantum_of(const std::vector<double>& numbers);

/// 2^-30 of the largest number. All other numbers are rounded to multiples of this quantum.
double quantum_of_largest(double largest);

/// The multiple of the quantum that is nearest to a number.
std::int32_t in_quanta(double number, double quantum);

/// Arguments of a PottsModel.
struct PottsDefinition {
  Index sites = 0;
  bool ising = false;  ///< s = +1 and -1, with -J s s' and -h s instead of deltas
  int states = 2;      ///< q, 2 to 255; 2 for Ising
  /// Each bond is listed once; couplings of several bonds between two sites are added.
  std::vector<lattice::CoupledPair> bonds;
  double field = 0;                 ///< h
  std::vector<double> fields = {};  ///< further fields that replicas may have
  bool has_fields_between = false;  ///< may replicas have any field up to the largest of `fields`?
  /// Added to J of a bond in a replica, with replicas counted in the study; empty: nothing.
  std::function<double(Index bond, Index replica)> of_replica = {};
  /// If `of_replica` is set: all values of couplings, or only `largest` if the distribution is
  /// continuous.
  std::vector<double> values = {};
  double largest = 0;
};

class PottsModel {
 public:
  /// @param replicas replicas of this process
  /// @throws InputError for more than 2^30 - 1 bonds, or more than 2^31 - 1025 sites
  PottsModel(const Device& device, const PottsDefinition& definition, const ReplicaShare& replicas);

  Index sites() const { return sites_; }
  Index positions() const { return site_.size(); }
  int states() const { return states_; }
  bool is_ising() const { return ising_; }
  const ReplicaShare& replicas() const { return replicas_; }
  const Device& device() const { return site_.device(); }
  Index most_bonds() const { return most_bonds_; }
  /// Are couplings rounded, because they are not multiples of one number?
  bool rounds_couplings() const { return rounds_; }
  /// First positions of the colours, which are multiples of positions_of_key; then the end [colours
  /// + 1]
  const std::vector<Index>& colour_begin() const { return colour_begin_; }
  /// Position of each site, on the host [sites]
  const std::vector<std::int32_t>& position_of() const { return position_of_; }

  /// Sets the field of each replica, which replaces the field of the definition. @param field h,
  /// which must be a field of the definition [replicas of the process]
  void set_fields(const std::vector<double>& field);
  /// Fields in quanta, for code that changes them on the device. [replicas of the process]
  double* fields_on_device() { return field_.data(); }
  /// The fields in quanta, as the device has them now.
  Pending fields_async() const { return numbers_async(field_); }

  /// A view without states, temperatures, rule and random numbers.
  PottsView view() const;
  /// Number of table entries for the probabilities of one replica; 0: there are too many gains for
  /// a table.
  Index table_entries() const { return most_ > most_tabulated ? 0 : 2 * most_ + 1; }
  /// The function for use on the host. @param field result of fields_async, which must outlive the
  /// returned function
  EnergyOfReplica energy_of_replica(const std::vector<double>& field) const;
  /// For use on the device.
  EnergyOfReplica energy_of_replica_on_device() const;
  /// The function for use on the device. @param beta 1 / k_B T [replica]
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
/// @param own number of replicas with their own couplings; 0: all replicas have equal couplings
double model_bytes(double sites, double bonds, double own);

}  // namespace larmor::ising
