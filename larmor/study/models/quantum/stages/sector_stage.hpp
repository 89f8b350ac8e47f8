#pragma once
// A stage that works on sectors of disorder samples, one task after another. The root works. A task
// that was interrupted begins again; its results are the same numbers.

#include <limits>
#include <optional>

#include "larmor/quantum/spin_model.hpp"
#include "larmor/study/models/quantum/system/quantum_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// The name of a sector in results: all, even, odd, or M_m with m = sum_i sz_i.
std::string name_of(const quantum::Sector& sector, int sites);
/// M, or 1 for even, -1 for odd and 0 for all states.
double label_of(const quantum::Sector& sector, int sites);

/// Adds numbers at the end.
inline void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

class SectorStage : public Stage {
 public:
  double updates_on(const SystemSize&) const override { return 1; }
  bool needs_whole_lattice() const override { return true; }
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 protected:
  struct Task {
    Index sample = 0;
    quantum::Sector sector = {};
    Index vector = 0;  ///< number of a random vector
  };

  explicit SectorStage(const ReadContext& context) : context_(context) {}

  /// The tasks of a sample. @throws InputError for sectors that the model does not have
  virtual std::vector<Task> tasks_of(const quantum::SpinModel& model) const = 0;
  /// @throws InputError if the tasks are too large for any machine
  virtual void check_size(const quantum::SpinModel& model) const = 0;
  /// Bytes on the device, and further ones on the host.
  virtual std::pair<double, double> bytes_of(const quantum::SpinModel& model, const Task& task,
                                             const Device& device) const = 0;
  /// @param number position among all tasks
  virtual void begin_task(const Device& device, const quantum::SpinModel& model, const Task& task,
                          Index number) = 0;
  /// Works on it. @return true: it is done, and its numbers are added
  virtual bool step_task(std::vector<double>& numbers) = 0;
  virtual void drop_task() = 0;
  /// Numbers that a step of a task works on, to end blocks.
  virtual double work_of_step(const quantum::SpinModel& model, const Task& task) const = 0;
  /// Steps of a typical task, for forecasts.
  virtual double usual_steps() const = 0;
  virtual void write(ResultsGroup& results) const = 0;

  /// The unit of energies in results.
  const char* energy_unit() const { return inner_unit(Dimension::energy, context_.units); }
  Index samples() const { return std::ssize(models_); }
  Index tasks_of_sample() const { return std::ssize(tasks_) / samples(); }
  /// The numbers of all tasks, one after another.
  const std::vector<double>& found() const { return numbers_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  const quantum::SpinModel& model() const { return models_.front(); }

  ReadContext context_;

 private:
  std::vector<quantum::SpinModel> models_;  ///< one for each disorder sample
  std::vector<Task> tasks_;
  Index done_ = 0;
  bool has_begun_ = false;
  std::vector<double> numbers_;  ///< results of the tasks that are done
};

}  // namespace larmor::study
