#pragma once
// Equilibrium averages at one temperature or several: thermalise, then measure.

#include <algorithm>

#include "larmor/study/stages/sampled_structure_factors.hpp"
#include "larmor/study/stages/site_averages.hpp"
#include "larmor/study/stages/thermal_stage.hpp"

namespace larmor::study {

class MonteCarloStage : public ThermalStage {
 public:
  using Table = MonteCarloTable;
  MonteCarloStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_spin() const override;
  std::string plan() const override;
  double extra_bytes(const Study& study, const lattice::Geometry& geometry) const override;
  double bytes_of_all_replicas(const Study& study,
                               const lattice::Geometry& geometry) const override;
  double device_bytes(const Study& study, const lattice::Geometry& geometry, const Device& device,
                      Index all_replicas) const override {
    const SpinLayout layout{geometry.sites(), study.replicas};
    // Energy and magnetisation are summed block by block of threads: some byte a spin.
    return sites_.device_bytes(layout, device) + static_cast<double>(layout.numbers() / 3) +
           structure_factors_.device_bytes(study, geometry, device, all_replicas);
  }
  bool reads_tables() const override {
    return std::any_of(table_.measure.begin(), table_.measure.end(),
                       [](const SampledTable& m) { return study::reads_tables(m.what); });
  }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  std::vector<std::string> extra_measurements() const override;
  Index thermalise(Simulation& simulation);
  Index sample(Simulation& simulation, ResultsGroup& results);
  Index next_stop() const;
  void append_series(ResultsGroup& results) const;

  Table table_;
  SiteAverages sites_;
  SampledStructureFactors structure_factors_;
  bool thermalised_ = false;
  Index extra_rounds_ = 0;
};

}  // namespace larmor::study
