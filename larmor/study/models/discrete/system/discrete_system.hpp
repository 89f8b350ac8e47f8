#pragma once
// A system of Ising or Potts spins on a lattice or a graph. Each engine has its own form of the
// states. The system converts the states when a stage asks for another form.

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/ising/clusters/isoenergetic_move.hpp"
#include "larmor/ising/potts/potts_state.hpp"
#include "larmor/study/models/discrete/system/discrete_sites.hpp"
#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::ising {
class BitLattice;
class SampleLadders;
}  // namespace larmor::ising

namespace larmor::study {

/// Clusters of the last sweep, which a sampler counts if a measurement needs it.
struct ClusterCensus {
  bool is_wanted = false;
  bool by_size = false;                     ///< also the histogram?
  std::vector<clusters::ClusterSums> sums;  ///< [replicas of the process]
};

class DiscreteSystem : public System {
 public:
  DiscreteSystem(const DiscreteTables& from, DiscreteSites at, const SystemChoice& choice);

  ~DiscreteSystem() override;

  SystemSize size() const override;
  bool replicas_differ() const override { return differ_; }
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  void require_finite() const override {}
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  /// The state of one replica of this process, (sites).
  io::DataArray configuration(Index replica) const;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  std::vector<std::string> advice() const override;
  std::string exchange_text() const override;
  std::vector<LiveArray> live_arrays() const override;
  io::DataArray live_array(const std::string& name) override;

  /// The model with its tables of bonds, made at the first call with these fields.
  /// @param fields nothing: replicas have the field of the study @throws InputError as PottsModel
  ising::PottsModel& potts_model(const std::optional<FieldRungs>& fields);
  /// The states for single-site updates of any graph, in the form for the last requested model.
  ising::PottsState& potts_state();
  /// The states (replica, site), on the device. If ranks share the sites, this rank has only its
  /// own sites, as in ising::ClusterUpdate.
  Array<std::uint8_t>& states_by_site();
  /// The spins as bits, updated by a rule. @param seed seed of the updates
  /// @throws InputError as ising::BitLattice
  ising::BitLattice& bit_lattice(ising::Rule rule, std::uint64_t seed);

  /// The spins as bits of 64 samples in a word, at rungs of ladders. The process has whole samples.
  /// All bits of a word are updated, although some bits may be unused or belong to other processes.
  /// @param layout that of all processes; replica r begins at its rung @param seed seed of the
  /// updates
  /// @throws InputError as ising::SampleLadders
  ising::SampleLadders& sample_ladders(const tempering::LadderLayout& layout, ising::Rule rule,
                                       std::uint64_t seed);
  /// Null: the spins are in another form.
  const ising::SampleLadders* ladders() const { return ladders_.get(); }
  /// The number of samples that precede the first sample of the process in its first word.
  Index samples_before() const { return samples_before_; }

  /// Draws the state of every site, in the present form, with random numbers of the current step.
  /// The step then advances.
  void randomise(std::uint64_t seed);

  /// The states (replica, site) for measurements, converted from any form.
  const Array<std::uint8_t>& site_states();

  /// Makes the moves of Ensemble::move_isoenergetically. The states keep their form. Ranks must not
  /// share the sites.
  void move_isoenergetically(std::span<const CopiesToMove> pairs);

  const DiscreteTables& tables;
  const DiscreteSites sites;
  const ReplicaShare replicas;
  /// The ranks that share the sites; null if this process has all sites.
  const Communicator* const sharing;
  ClusterCensus census;

 private:
  /// The states in canonical order (replica, site). @param count number of replicas, from `first`
  /// on
  std::vector<std::uint8_t> canonical(Index count, Index first = 0) const;
  /// States in the form for users. @param states (replica, site)
  io::DataArray shown(std::vector<std::uint8_t> states, io::Shape shape) const;
  /// Sets the states by site. @param states (replica, site)
  void put(const std::vector<std::uint8_t>& states);
  /// First site of this rank, which has consecutive planes of a grid, or all sites.
  Index first_site() const;
  Index own_sites() const;
  /// Sets replicas [first, first + count) of the ladders, in the order of `canonical`.
  /// @param states (replica, site) @param of_sample replicas of a sample
  void fill_ladders(const std::vector<std::uint8_t>& states, Index of_sample);
  void read_ladders(Index first, Index count, std::vector<std::uint8_t>& states) const;
  std::unique_ptr<ising::BitLattice> new_bits(ising::Rule rule, std::uint64_t seed) const;

  bool differ_;
  std::optional<FieldRungs> fields_;  ///< fields of the model
  std::unique_ptr<ising::PottsModel> model_;
  std::unique_ptr<ising::IsoenergeticMove> isoenergetic_;  ///< null: there was no such move so far
  // Exactly one of these holds the states.
  std::unique_ptr<ising::PottsState> potts_;
  std::unique_ptr<ising::BitLattice> bits_;
  std::unique_ptr<ising::SampleLadders> ladders_;
  Index samples_before_ = 0;
  Array<std::uint8_t> by_site_;
  Array<std::uint8_t> measured_;  ///< result of site_states
  ising::Rule rule_of_bits_ = ising::Rule::metropolis;
  std::uint64_t seed_of_bits_ = 0;
};

class DiscreteBlueprint : public Blueprint {
 public:
  /// @param tables outlive the blueprint @throws InputError for invalid lattices and bonds
  explicit DiscreteBlueprint(const DiscreteTables& tables);

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const DiscreteTables& tables_;
  DiscreteSites sites_;
};

/// @throws InternalError if the system has no discrete spins
DiscreteSystem& discrete_system(const Simulation& simulation);

}  // namespace larmor::study
