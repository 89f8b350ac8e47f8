#pragma once
// The lowest levels of quantum spins, and averages in the ground state, by the Lanczos method.

#include <memory>

#include "larmor/quantum/low_levels.hpp"
#include "larmor/study/models/quantum/stages/sector_stage.hpp"

namespace larmor::study {

struct SpectrumTable {
  static constexpr const char* name = "spectrum";
  static constexpr const char* doc =
      "the lowest levels of quantum spins in each sector, and averages in the ground state, by the "
      "Lanczos method";
  std::string kind = name;
  Index levels = 2;
  std::vector<std::string> sectors;
  std::vector<Index> magnetisation;
  bool correlations = false;
  double tolerance = 1e-11;
  TablePosition where;

  static FieldTable<SpectrumTable> fields();
};

class SpectrumStage : public SectorStage {
 public:
  using Table = SpectrumTable;
  SpectrumStage(const Table& table, const ReadContext& context);

  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  std::string plan() const override;

 protected:
  std::vector<Task> tasks_of(const quantum::SpinModel& model) const override;
  void require_different(const std::vector<Task>& tasks) const;
  /// Does a sector stand for that of the opposite magnetisation too?
  bool is_mirrored(const quantum::Sector& sector) const;
  void check_size(const quantum::SpinModel& model) const override;
  std::pair<double, double> bytes_of(const quantum::SpinModel& model, const Task& task,
                                     const Device& device) const override;
  void begin_task(const Device& device, const quantum::SpinModel& model, const Task& task,
                  Index number) override;
  bool step_task(std::vector<double>& numbers) override;
  void drop_task() override { search_.reset(); }
  double work_of_step(const quantum::SpinModel& model, const Task& task) const override;
  double usual_steps() const override { return 120 * static_cast<double>(table_.levels); }
  void write(ResultsGroup& results) const override;

 private:
  quantum::LevelSettings settings() const;
  Index levels_of(const Task& task) const;

  Table table_;
  std::unique_ptr<quantum::LowLevels> search_;
};

}  // namespace larmor::study
