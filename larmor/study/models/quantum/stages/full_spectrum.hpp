#pragma once
// All levels of a small system of quantum spins, and exact thermal averages.

#include <memory>

#include "larmor/quantum/full_spectrum.hpp"
#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/quantum/stages/sector_stage.hpp"

namespace larmor::study {

struct FullSpectrumTable {
  static constexpr const char* name = "full-spectrum";
  static constexpr const char* doc =
      "all levels of a small system of quantum spins by dense matrices, and exact averages at "
      "temperatures";
  std::string kind = name;
  Value temperature;
  Index imaginary_times = 0;
  TablePosition where;

  static FieldTable<FullSpectrumTable> fields();
};

/// A task is a disorder sample.
class FullSpectrumStage : public SectorStage {
 public:
  using Table = FullSpectrumTable;
  FullSpectrumStage(const Table& table, const ReadContext& context);

  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  std::string plan() const override;
  double seconds_per_update(Simulation& simulation) override;

 protected:
  std::vector<Task> tasks_of(const quantum::SpinModel&) const override { return {Task{}}; }
  void check_size(const quantum::SpinModel& model) const override;
  std::pair<double, double> bytes_of(const quantum::SpinModel& model, const Task& task,
                                     const Device& device) const override;
  void begin_task(const Device& device, const quantum::SpinModel& model, const Task& task,
                  Index number) override;
  bool step_task(std::vector<double>& numbers) override;
  void drop_task() override { spectrum_.reset(); }
  double work_of_step(const quantum::SpinModel& model, const Task& task) const override;
  double usual_steps() const override { return 2; }
  void write(ResultsGroup& results) const override;

 private:
  /// tau / beta of the times in results.
  std::vector<double> fractions() const;

  Table table_;
  std::vector<double> temperatures_;
  std::unique_ptr<quantum::FullSpectrum> spectrum_;
};

}  // namespace larmor::study
