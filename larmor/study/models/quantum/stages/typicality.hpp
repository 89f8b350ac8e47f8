#pragma once
// Thermal averages of quantum spins from random states.

#include <memory>

#include "larmor/quantum/typicality.hpp"
#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/quantum/stages/sector_stage.hpp"

namespace larmor::study {

struct TypicalityTable {
  static constexpr const char* name = "typicality";
  static constexpr const char* doc =
      "averages of quantum spins at temperatures from random states, with error bars: for systems "
      "without a known spectrum";
  std::string kind = name;
  Value temperature;
  Index vectors = 20;
  Index steps = 100;
  TablePosition where;

  static FieldTable<TypicalityTable> fields();
};

/// A task is a random vector of a sector.
class TypicalityStage : public SectorStage {
 public:
  using Table = TypicalityTable;
  TypicalityStage(const Table& table, const ReadContext& context);

  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  std::string plan() const override;
  void prepare(Simulation& simulation) override;

 protected:
  std::vector<Task> tasks_of(const quantum::SpinModel& model) const override;
  void check_size(const quantum::SpinModel&) const override {}
  std::pair<double, double> bytes_of(const quantum::SpinModel& model, const Task& task,
                                     const Device& device) const override;
  void begin_task(const Device& device, const quantum::SpinModel& model, const Task& task,
                  Index number) override;
  bool step_task(std::vector<double>& numbers) override;
  void drop_task() override { state_.reset(); }
  double work_of_step(const quantum::SpinModel& model, const Task& task) const override;
  double usual_steps() const override { return 2 * static_cast<double>(table_.steps); }
  void write(ResultsGroup& results) const override;

 private:
  /// The averages of a sample at a temperature, [vector][sector].
  std::vector<std::vector<quantum::TypicalAverages>> averages(Index sample,
                                                              Index temperature) const;

  Table table_;
  std::vector<double> temperatures_, beta_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<quantum::TypicalState> state_;
};

}  // namespace larmor::study
