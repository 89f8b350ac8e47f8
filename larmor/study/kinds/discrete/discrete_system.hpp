#pragma once
// Ising or Potts spins on a lattice or a graph.

#include "larmor/ising/potts/potts_state.hpp"
#include "larmor/study/kinds/discrete/discrete_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class DiscreteSystem : public System {
 public:
  DiscreteSystem(const DiscreteTables& from, lattice::Geometry built,
                 const ising::PottsDefinition& definition, const SystemChoice& choice);

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
  double table_bytes() const override { return table_bytes_; }

  const DiscreteTables& tables;
  const lattice::Geometry geometry;
  ising::PottsModel model;
  ising::PottsState state;

 private:
  bool differ_;
  double table_bytes_;
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
  lattice::Geometry geometry_;
};

/// @throws InternalError where the system has no discrete spins
DiscreteSystem& discrete_system(const Simulation& simulation);

}  // namespace larmor::study
