#pragma once
// Ising or Potts spins on a lattice or a graph. Stages update them in several ways, each of which
// has the states as it needs them: they are brought from one form to the other when a stage asks
// for it.

#include "larmor/ising/clusters/cluster_engine.hpp"
#include "larmor/ising/potts/potts_state.hpp"
#include "larmor/study/kinds/discrete/discrete_sites.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Clusters of the last sweep, which a sampler counts where a measurement wants it.
struct ClusterCensus {
  ising::MeasureClusters wanted = ising::MeasureClusters::no;
  std::vector<ising::ClusterSums> sums;  ///< [replicas of the process]
};

class DiscreteSystem : public System {
 public:
  DiscreteSystem(const DiscreteTables& from, DiscreteSites at, const SystemChoice& choice);

  SystemSize size() const override;
  bool replicas_differ() const override { return differ_; }
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  void require_finite() const override {}
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  std::vector<std::string> advice() const override;

  /// With its tables of bonds, made at the first call. @throws InputError as PottsModel
  const ising::PottsModel& potts_model();
  /// The states as single-site updates of any graph need them.
  ising::PottsState& potts_state();
  /// The states (replica, site), where kernels run.
  Array<std::uint8_t>& states_by_site();

  const DiscreteTables& tables;
  const DiscreteSites sites;
  const ReplicaShare replicas;
  ClusterCensus census;

 private:
  /// In canonical order (replica, site), the first replicas only. @param count of them
  std::vector<std::uint8_t> canonical(Index count) const;
  void put(const std::vector<std::uint8_t>& states);

  bool differ_;
  std::unique_ptr<ising::PottsModel> model_;
  // One of them holds the states.
  std::unique_ptr<ising::PottsState> potts_;
  Array<std::uint8_t> by_site_;
};

class DiscreteBlueprint : public Blueprint {
 public:
  /// @param tables outlive this @throws InputError for lattices and bonds that make no sense
  explicit DiscreteBlueprint(const DiscreteTables& tables);

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const DiscreteTables& tables_;
  DiscreteSites sites_;
};

/// @throws InternalError where the system has no discrete spins
DiscreteSystem& discrete_system(const Simulation& simulation);

}  // namespace larmor::study
