#pragma once
// A system of atoms and their potentials.

#include "larmor/atoms/forces/potential_forces.hpp"
#include "larmor/study/models/atoms/system/atom_numbers.hpp"
#include "larmor/study/models/atoms/system/atom_potentials.hpp"
#include "larmor/study/models/atoms/system/atom_setup.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class AtomSystem : public System {
 public:
  AtomSystem(const AtomTables& from, const SystemChoice& choice);

  SystemSize size() const override;
  Index rungs() const override { return averages_each_ ? replicas.all : 1; }
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  void require_finite() const override;
  /// The positions of the atoms.
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  std::vector<LiveArray> live_arrays() const override;
  io::DataArray live_array(const std::string& name) override;
  MemoryView live_view(const std::string& name) override;

  /// Numbers of the first replicas of the study, joined on the root. A collective operation.
  AtomNumbers joined_numbers(Index count, const Ranks& ranks) const;
  /// Vectors of the atoms of some replicas, as results store them. FORMAT: (replica, atom, 3); if
  /// replicas differ in their number of atoms, (atom, 3) with one replica after the other.
  io::DataArray array_of_atoms(std::vector<double> vectors) const;

  const AtomTables& tables;
  const AtomSetup& setup;
  const ReplicaShare replicas;
  atoms::AtomState state;  ///< on the device

  atoms::ForceField& forces() { return *forces_; }
  /// Gives the replicas their random keys: those of `[atoms] seeds`, or else of the study's seed.
  void use_seed(std::uint64_t seed_of_study);
  /// Are the averages of the present stage those of each replica, or those of all replicas?
  void average_each_replica(bool each) { averages_each_ = each; }

  /// The state with elements that the host can read. This is `state` itself, or a copy of a state
  /// on a GPU. A copy is valid until the next call.
  const atoms::AtomState& on_host() const;
  /// The copy of `on_host` for changes, with forces at the present positions. After the changes,
  /// `use_host` makes the changed copy the state.
  atoms::AtomState& host_state();
  atoms::ForceField& host_forces();
  void use_host();

 private:
  std::vector<std::string> potential_descriptions_;
  bool averages_each_ = false;
  std::unique_ptr<atoms::ForceField> forces_, host_forces_;
  mutable std::unique_ptr<atoms::AtomState> host_;
};

class AtomBlueprint : public Blueprint {
 public:
  /// @param tables outlive the blueprint
  explicit AtomBlueprint(const AtomTables& tables);

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const AtomTables& tables_;
  AtomPotentials potentials_;
};

/// @throws InternalError if the system has no atoms
AtomSystem& atom_system(const Simulation& simulation);

}  // namespace larmor::study
