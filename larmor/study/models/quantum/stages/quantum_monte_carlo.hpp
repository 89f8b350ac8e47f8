#pragma once
// Thermal averages of Ising models in a transverse field by quantum Monte Carlo, in slices of
// imaginary time or in continuous time. Larmor simulates all temperatures and samples of a point at
// once. A point is a number of slices, or continuous time.

#include <memory>
#include <optional>

#include "larmor/study/models/quantum/stages/quantum_monte_carlo_table.hpp"
#include "larmor/study/models/quantum/stages/world_line_results.hpp"
#include "larmor/study/models/quantum/system/quantum_tables.hpp"

namespace larmor::study {

class QuantumMonteCarloStage : public Stage {
 public:
  using Table = QuantumMonteCarloTable;
  /// @throws InputError for keys that contradict each other
  QuantumMonteCarloStage(const Table& table, const ReadContext& context);

  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_on(const SystemSize&) const override;
  std::string plan() const override;
  /// @throws InputError for models that the updates cannot sample
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool needs_whole_lattice() const override { return true; }
  void require_beginning(const Simulation& simulation, bool is_first) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  WorldLineUpdate update() const;
  Index copies(const Study& study) const;
  Index samples_measured() const { return table_.sweeps / *table_.measure_every; }
  WorldLineChoice choice(const Study& study, const Device& device, Index slices) const;
  void make_instances(const Study& study);
  std::vector<MeasuredInstance> nothing_measured() const;

  void begin_point(Simulation& simulation);
  Index next_stop() const;
  /// @param most sweeps @return sweeps that were made
  Index work_until_stop(Simulation& simulation, Index most);
  void measure();
  void add_sites();
  void finish_point();

  ReadContext context_;
  Table table_;
  std::vector<double> temperatures_;
  std::vector<Index> points_;  ///< numbers of slices; 0: continuous time

  Index samples_ = 1, copies_ = 1;
  bool is_even_ = true;
  WorldLineNumbers numbers_;
  std::vector<double> constants_;  ///< energies of bonds that join a site with itself, by sample
  trotter::SystemGraph graph_;
  std::vector<trotter::Instance> instances_;  ///< (sample, temperature)

  Index point_ = 0, sweeps_done_ = 0, measured_ = 0;
  std::unique_ptr<WorldLines> lines_;
  std::vector<MeasuredInstance> of_instance_;
  std::optional<StageMemory> saved_;  ///< a checkpoint that the point begins with
  std::optional<WorldLineResults> found_;
  std::vector<double> acceptance_;  ///< (point, rung)
};

}  // namespace larmor::study
