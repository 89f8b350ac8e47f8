#pragma once
// A Potts or Ising model on any graph: bonds, couplings, colours, where kernels run.

#include <functional>
#include <vector>

#include "larmor/core/device/numbers_async.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

struct Bond {
  Index i, j;  ///< sites
  double J;
};

/// What a model is made from.
struct PottsDefinition {
  Index sites = 0;
  bool ising = false;               ///< s = +1 and -1, -J s s' and -h s, in place of deltas
  int states = 2;                   ///< q, 2 to 255; 2 for Ising
  std::vector<Bond> bonds;          ///< each once; couplings of several bonds of two sites add up
  double field = 0;                 ///< h
  std::vector<double> fields = {};  ///< others that replicas are to have
  bool has_fields_between = false;  ///< do replicas take any field up to the largest of these?
  /// What is added to J of a bond in a replica, counted through the study; empty: nothing.
  std::function<double(Index bond, Index replica)> of_replica = {};
  /// With of_replica: all values that couplings have, or where these are distributed continuously
  /// none of them but `largest`.
  std::vector<double> values = {};
  double largest = 0;
};

class PottsModel {
 public:
  /// @param replicas of this process
  /// @throws InputError where bonds or sites are more than 2^31 - 1
  PottsModel(const Device& device, const PottsDefinition& definition, const ReplicaShare& replicas);

  Index sites() const { return sites_; }
  Index positions() const { return site_.size(); }
  int states() const { return states_; }
  bool is_ising() const { return ising_; }
  const ReplicaShare& replicas() const { return replicas_; }
  const Device& device() const { return site_.device(); }
  Index most_bonds() const { return most_bonds_; }
  /// Are couplings no multiples of one number?
  bool rounds_couplings() const { return rounds_; }
  /// Multiples of positions_of_key, those of each colour one after the other [colours + 1]
  const std::vector<Index>& colour_begin() const { return colour_begin_; }
  /// Position of each site, on the host [sites]
  const std::vector<std::int32_t>& position_of() const { return position_of_; }

  /// Of each replica, in place of that of the definition. @param field h, one of those that the
  /// definition says [replicas of the process]
  void set_fields(const std::vector<double>& field);
  /// In quanta, for those who change them where kernels run. [replicas of the process]
  double* fields_on_device() { return field_.data(); }
  /// The same as they are there.
  Pending fields_async() const { return numbers_async(field_); }

  /// But for states, temperatures, rule and random numbers.
  PottsView view() const;
  /// Entries of a table of probabilities of one replica; 0: it has none, gains are too many.
  Index table_entries() const { return most_ > most_tabulated ? 0 : 2 * most_ + 1; }
  /// On the host. @param field as fields_later has them, which outlive it
  EnergyOfReplica energy_of_replica(const std::vector<double>& field) const;
  /// Where kernels run.
  EnergyOfReplica energy_of_replica_on_device() const;
  /// The same. @param beta 1 / k_B T [replica]
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

/// Bytes of a model where kernels run; about as many on the host while it is made.
/// @param own replicas whose couplings differ; 0: they do not
double model_bytes(double sites, double bonds, double own);

}  // namespace larmor::ising
