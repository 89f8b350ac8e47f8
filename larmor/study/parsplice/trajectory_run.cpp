#include "larmor/study/parsplice/trajectory_run.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/parsplice/other_dynamics.hpp"
#include "larmor/parsplice/workers.hpp"

namespace larmor::study {
namespace {

using Clock = std::chrono::steady_clock;
using parsplice::Splicing;

class SplicedRun : public TrajectoryRun {
 public:
  SplicedRun(const parsplice::SegmentSystem& system, const TrajectoryPlan& plan)
      : rule_{.seed = plan.seed,
              .segment_steps = plan.steps.segment_steps,
              .correlation_steps = plan.steps.correlation_steps,
              .lanes = plan.keys.lanes},
        file_(opened(plan)),
        splicing_(system, rule_, plan.first, plan.steps.goal_steps, file_.get()),
        work_before_(splicing_.work()),
        workers_(parsplice::make_workers(splicing_, plan.workers)) {}

  bool run_for(std::chrono::milliseconds time) override { return workers_->run_for(time); }
  Index steps() override {
    return read([](Splicing& s) { return s.trajectory().steps(); });
  }
  Index stays() override {
    return read([](Splicing& s) { return std::ssize(s.trajectory().stays()); });
  }
  Index work() override {
    return read([](Splicing& s) { return s.work(); }) - work_before_;
  }
  double busy_seconds() override { return workers_->busy_seconds(); }
  void save(StageMemory& memory) override {
    memory.integers["segments"] = {read([this](Splicing& s) {
      s.flush();
      return file_ ? file_->segments() : Index{0};
    })};
  }
  Found found() override {
    Found found{parsplice::Trajectory(0), {}};
    workers_->between_deliveries([&](Splicing& s) {
      s.flush();
      found = {s.trajectory(), s.references()};
    });
    return found;
  }

 private:
  std::unique_ptr<parsplice::SegmentFile> opened(const TrajectoryPlan& plan) const {
    if (plan.segments.empty()) return nullptr;
    return std::make_unique<parsplice::SegmentFile>(plan.segments, rule_, plan.first, plan.owner);
  }
  template <class Work>
  Index read(const Work& work) {
    Index number = 0;
    workers_->between_deliveries([&](Splicing& splicing) { number = work(splicing); });
    return number;
  }

  parsplice::SegmentRule rule_;
  std::unique_ptr<parsplice::SegmentFile> file_;
  Splicing splicing_;
  Index work_before_;
  std::unique_ptr<parsplice::Workers> workers_;
};

/// @throws InputError if segments of an earlier call are lost
void require_segments(const TrajectoryPlan& plan, const StageMemory& memory) {
  std::error_code unknown;
  if (plan.segments.empty() || memory.integer("segments").at(0) == 0 ||
      std::filesystem::exists(plan.segments, unknown))
    return;
  throw InputError("'" + plan.segments + "' with the segments of this run is lost",
                   "put it back next to the results, or run the study anew with --force");
}

void save_dynamics(const parsplice::SavedDynamics& saved, StageMemory& memory) {
  memory.numbers["configurations"] = saved.configurations;
  memory.integers["counters"] = saved.counters;
  std::vector<Index>& stays = memory.integers["stays"];
  for (const parsplice::Stay& stay : saved.stays) {
    stays.push_back(static_cast<Index>(stay.state));
    stays.push_back(stay.steps);
  }
  std::vector<Index>& labels = memory.integers["states"];
  std::vector<double>& references = memory.numbers["references"];
  for (const auto& [label, reference] : saved.references) {
    labels.push_back(static_cast<Index>(label));
    references.insert(references.end(), reference.begin(), reference.end());
  }
}

parsplice::SavedDynamics saved_dynamics(const StageMemory& memory, Index numbers) {
  parsplice::SavedDynamics saved{
      memory.number("configurations"), memory.integer("counters"), {}, {}};
  const std::vector<Index>& stays = memory.integer("stays");
  for (std::size_t i = 0; i + 1 < stays.size(); i += 2)
    saved.stays.push_back({static_cast<parsplice::StateLabel>(stays[i]), stays[i + 1]});
  const std::vector<Index>& labels = memory.integer("states");
  const std::vector<double>& references = memory.number("references");
  if (std::ssize(references) != numbers * std::ssize(labels))
    throw MachineError("the checkpoint holds references of another size");
  auto begin = references.begin();
  for (const Index label : labels) {
    saved.references[static_cast<parsplice::StateLabel>(label)].assign(begin, begin + numbers);
    begin += numbers;
  }
  return saved;
}

/// Direct dynamics and parallel replicas.
template <class Dynamics>
class OtherRun : public TrajectoryRun {
 public:
  OtherRun(Dynamics dynamics, const parsplice::SegmentSystem& system, const TrajectoryPlan& plan,
           const StageMemory* memory)
      : dynamics_(std::move(dynamics)), goal_(plan.steps.goal_steps) {
    if (memory != nullptr) dynamics_.load(saved_dynamics(*memory, system.numbers()));
    work_before_ = dynamics_.work();
  }

  bool run_for(std::chrono::milliseconds time) override {
    const auto begin = Clock::now();
    while (steps() < goal_ && Clock::now() - begin < time) advance();
    return steps() >= goal_;
  }
  Index steps() override { return dynamics_.trajectory().steps(); }
  Index stays() override { return std::ssize(dynamics_.trajectory().stays()); }
  Index work() override { return dynamics_.work() - work_before_; }
  double busy_seconds() override {
    if constexpr (has_replicas) return dynamics_.busy_seconds();
    return busy_seconds_;
  }
  void save(StageMemory& memory) override { save_dynamics(dynamics_.save(), memory); }
  Found found() override { return {dynamics_.trajectory(), dynamics_.references()}; }

 private:
  static constexpr bool has_replicas = std::same_as<Dynamics, parsplice::ParallelReplicas>;
  /// Steps of direct dynamics between two looks at the clock.
  static constexpr Index few_steps = 100;

  void advance() {
    const auto begin = Clock::now();
    if constexpr (has_replicas)
      dynamics_.advance();
    else
      dynamics_.advance(std::min(few_steps, goal_ - steps()));
    busy_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Dynamics dynamics_;
  Index goal_, work_before_ = 0;
  double busy_seconds_ = 0;
};

}  // namespace

std::unique_ptr<TrajectoryRun> make_trajectory_run(const parsplice::SegmentSystem& system,
                                                   const TrajectoryPlan& plan,
                                                   const StageMemory* memory) {
  if (plan.keys.is_spliced()) {
    if (memory != nullptr) require_segments(plan, *memory);
    return std::make_unique<SplicedRun>(system, plan);
  }
  if (plan.keys.has_parallel_replicas()) {
    const parsplice::ParallelReplicaRule rule{.seed = plan.seed,
                                              .replicas = plan.keys.parallel_replicas,
                                              .correlation_steps = plan.steps.correlation_steps};
    return std::make_unique<OtherRun<parsplice::ParallelReplicas>>(
        parsplice::ParallelReplicas(system, plan.first, rule, plan.workers), system, plan, memory);
  }
  return std::make_unique<OtherRun<parsplice::DirectDynamics>>(
      parsplice::DirectDynamics(system, plan.first, plan.seed, plan.steps.correlation_steps),
      system, plan, memory);
}

}  // namespace larmor::study
