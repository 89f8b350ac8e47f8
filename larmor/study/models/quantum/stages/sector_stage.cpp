#include "larmor/study/models/quantum/stages/sector_stage.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Numbers on which a block works: few enough to react to Ctrl-C.
constexpr double numbers_of_block = 1e7;

}  // namespace

std::string name_of(const quantum::Sector& sector, int sites) {
  using enum quantum::Sector::Kind;
  switch (sector.kind) {
    case all:
      return "all";
    case even:
      return "even";
    case odd:
      return "odd";
    case magnetisation:
      break;
  }
  return fmt::format("M_{}", 2 * sector.up - sites);
}

double label_of(const quantum::Sector& sector, int sites) {
  using enum quantum::Sector::Kind;
  if (sector.kind == magnetisation) return 2 * sector.up - sites;
  return sector.kind == even ? 1 : sector.kind == odd ? -1 : 0;
}

void SectorStage::validate(const Sizing& sizing) const {
  check_state_vectors(quantum_tables(sizing.study));
  const quantum::SpinModel model = quantum_model(sizing.study, 0);
  tasks_of(model);
  check_size(model);
}

StageBytes SectorStage::forecast(const Sizing& sizing) const {
  const quantum::SpinModel model = quantum_model(sizing.study, 0);
  double on_device = 0, on_host = 0;
  for (const Task& task : tasks_of(model)) {
    const auto [device, host] = bytes_of(model, task, sizing.device);
    on_device = std::max(on_device, device);
    on_host = std::max(on_host, host);
  }
  StageBytes bytes;
  (sizing.device.backend == Backend::cuda ? bytes.device : bytes.host) += on_device;
  bytes.host += on_host;
  return bytes;
}

double SectorStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  const auto largest = std::ranges::max_element(
      tasks_, {}, [&](const Task& task) { return work_of_step(models_.front(), task); });
  double all = 0;
  for (const Task& task : tasks_) all += work_of_step(models_.front(), task);
  std::vector<double> numbers;
  const double seconds = seconds_of_one(simulation.system.device, [&] {
    if (!has_begun_) begin_task(simulation.system.device, models_.front(), *largest, 0);
    has_begun_ = !step_task(numbers);
    if (!has_begun_) drop_task();
  });
  drop_task();
  has_begun_ = false;
  return seconds * usual_steps() * all / work_of_step(models_.front(), *largest);
}

void SectorStage::prepare(Simulation& simulation) {
  models_.clear();
  tasks_.clear();
  for (Index sample = 0; sample < samples_of(simulation.study); ++sample) {
    models_.push_back(quantum_model(simulation.study, sample));
    for (Task task : tasks_of(models_.front())) {
      task.sample = sample;
      tasks_.push_back(task);
    }
  }
  done_ = 0;
  has_begun_ = false;
  numbers_.clear();
  drop_task();
}

StageProgress SectorStage::advance(Simulation& simulation, ResultsGroup&) {
  const Index before = done_;
  if (simulation.ranks.is_root()) {
    double work = 0;
    while (work < numbers_of_block && done_ < std::ssize(tasks_)) {
      const Task& task = tasks_[static_cast<std::size_t>(done_)];
      const quantum::SpinModel& model = models_[static_cast<std::size_t>(task.sample)];
      if (!has_begun_) begin_task(simulation.system.device, model, task, done_);
      has_begun_ = true;
      work += work_of_step(model, task);
      if (!step_task(numbers_)) continue;
      drop_task();
      has_begun_ = false;
      ++done_;
    }
  }
  done_ = simulation.ranks.minimum(simulation.ranks.is_root() ? done_
                                                              : std::numeric_limits<Index>::max());
  const double all =
      static_cast<double>(simulation.system.size().movable * simulation.study.replicas);
  return {static_cast<double>(done_ - before) / static_cast<double>(tasks_.size()) * all,
          done_ == std::ssize(tasks_)};
}

void SectorStage::finish(Simulation& simulation, ResultsGroup& results) {
  if (simulation.ranks.is_root()) write(results);
}

std::vector<std::pair<std::string, std::string>> SectorStage::latest() const {
  return {{"task", fmt::format("{}/{}", done_, tasks_.size())}};
}

StageMemory SectorStage::save() const {
  StageMemory memory;
  memory.integers["done"] = {done_};
  memory.numbers["numbers"] = numbers_;
  return memory;
}

void SectorStage::load(const StageMemory& memory) {
  done_ = memory.integer("done").at(0);
  numbers_ = memory.number("numbers");
}

}  // namespace larmor::study
