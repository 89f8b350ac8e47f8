#pragma once
// A system of phi^4 fields on a hypercubic lattice.

#include "larmor/phi4/field_clusters.hpp"
#include "larmor/phi4/field_sums.hpp"
#include "larmor/study/models/phi4/system/phi4_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class Phi4System : public System {
 public:
  Phi4System(const Phi4Tables& from, const SystemChoice& choice);

  SystemSize size() const override;
  Index rungs() const override { return std::ssize(tables.phi4.kappa); }
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  void require_finite() const override;
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  double table_bytes() const override;
  std::vector<LiveArray> live_arrays() const override;
  io::DataArray live_array(const std::string& name) override;
  MemoryView live_view(const std::string& name) override;

  /// Fields of the first replicas, (replica, site, component), joined on the root.
  std::vector<float> joined_fields(Index count, const Ranks& ranks) const;

  const Phi4Tables& tables;
  const double lambda;
  phi4::FieldModel model;
  phi4::FieldState state;
  phi4::FieldSums sums;
  /// The clusters of the current stage, for its measurements.
  struct {
    std::unique_ptr<phi4::FieldClusters> update;  ///< null: no clusters
    bool of_wolff = false;
    bool measured = false;  ///< does a measurement need their sums?
    Index updates = 0;      ///< number of updates in the sums
  } clusters;
};

class Phi4Blueprint : public Blueprint {
 public:
  /// @param tables outlive the blueprint
  explicit Phi4Blueprint(const Phi4Tables& tables) : tables_(tables) {}

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const Phi4Tables& tables_;
};

/// @throws InternalError if the system has no phi^4 fields
Phi4System& phi4_system(const Simulation& simulation);

}  // namespace larmor::study
