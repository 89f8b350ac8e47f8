#pragma once
// Molecular dynamics of the present atoms, with measurements.

#include <memory>

#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/measurements/stored_samples.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"
#include "larmor/study/models/atoms/stages/atom_stage.hpp"
#include "larmor/study/models/atoms/stages/md_table.hpp"

namespace larmor::study {

class MdStage : public Stage {
 public:
  using Table = MdTable;
  MdStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override { return static_cast<double>(table_.steps); }
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  std::vector<Advice> advice(const Simulation& simulation) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  std::optional<StagePlace> place() const override;
  std::string note() const override { return measurements_.note(); }
  void finish_measurements() override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  MdContext course() const;
  Instant instant(Index step) const;
  void free_stored_if_full();
  /// Do replicas have different averages?
  bool replicas_differ() const;
  std::unique_ptr<atoms::Integrator> make_integrator(const AtomSystem& system,
                                                     Index first_step) const;

  Table table_;
  ReadContext context_;
  Measurements measurements_;
  std::optional<ResultsGroup> results_;  ///< set by the first block of this run
  std::unique_ptr<atoms::Integrator> integrator_;
  AtomSystem* system_ = nullptr;  ///< set by `prepare`
  const Ranks* ranks_ = nullptr;  ///< set by `prepare`
  MeasurementQueue queue_;
  Index step_ = 0;
};

}  // namespace larmor::study
