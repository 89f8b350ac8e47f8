#include "larmor/study/parsplice/parsplice_stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "larmor/study/parsplice/segments_of_run.hpp"
#include "larmor/study/parsplice/trajectory_report.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Time of a block: short enough to react to Ctrl-C.
constexpr auto block_time = std::chrono::milliseconds(100);

/// Bytes of a segment that waits in memory, and of a stay.
constexpr double bytes_of_segment = 500, most_waiting = 1000;

/// @throws InputError if several stages would write one file of segments
void require_one_stage(const Sizing& sizing) {
  const Value* first = nullptr;
  for (const Value& table : sizing.study.stage) {
    const Value* const kind = table.find("kind");
    const Value* const method = table.find("method");
    const bool is_spliced =
        kind != nullptr && kind->is_string() && kind->as_string() == ParspliceKeys::name &&
        (method == nullptr || (method->is_string() && method->as_string() == ParspliceKeys::name));
    if (!is_spliced) continue;
    if (first != nullptr)
      throw InputError("a study has two stages of spliced segments, and one file of segments",
                       table.where(), "put one of these stages into a study of its own");
    first = &table;
  }
}

}  // namespace

std::vector<StageNumber> ParspliceStage::numbers(const io::ResultsReader& results,
                                                 const std::string& path) {
  return numbers_of_trajectory(results, path);
}

double ParspliceStage::updates_on(const SystemSize&) const {
  const ParspliceSteps all = steps();
  return static_cast<double>(all.goal_steps) * static_cast<double>(all.timesteps);
}

std::string ParspliceStage::plan() const {
  const ParspliceSteps all = steps();
  const char* const unit = inner_unit(Dimension::time, context_.units);
  const auto time_of = [&](Index count) {
    return fmt::format("{:.9g}{}{}", static_cast<double>(count) * all.duration,
                       *unit != '\0' ? " " : "", unit);
  };
  std::string words =
      fmt::format("{} by {}, state checked every {} steps, tau_c {}", time_of(all.goal_steps),
                  keys().method, all.timesteps, time_of(all.correlation_steps));
  if (keys().is_spliced()) words += ", segments of " + time_of(all.segment_steps);
  if (keys().has_parallel_replicas())
    words += fmt::format(", {} replicas", keys().parallel_replicas);
  return words;
}

void ParspliceStage::validate(const Sizing& sizing) const {
  steps();
  if (sizing.all_replicas != 1)
    throw InputError(fmt::format("the stage parsplice has no replicas, and the study has {}",
                                 sizing.all_replicas),
                     sizing.study.where.of("replicas"),
                     "leave replicas out; workers share the work of one trajectory");
  if (sizing.device.backend != Backend::cpu && !(runs_on_gpu() && keys().is_spliced()))
    throw InputError("the workers of this stage are threads of the processor",
                     sizing.study.device.where.of("backend"),
                     "use backend = \"cpu\"; only segments of atoms run on a GPU");
  if (keys().is_spliced()) require_one_stage(sizing);
}

StageBytes ParspliceStage::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  bytes.host = bytes_of_worker(sizing) * workers(sizing.device, sizing.system) +
               bytes_of_segment * most_waiting +
               sizing.system.configuration_bytes * 2 * static_cast<double>(keys().lanes);
  return bytes;
}

int ParspliceStage::workers(const Device& device, const SystemSize& size) const {
  return static_cast<int>(keys().workers.value_or(usual_workers(device, size)));
}

double ParspliceStage::seconds_per_update(Simulation& simulation) {
  const std::unique_ptr<parsplice::MatterSystem> system = make_system(simulation);
  const int count = workers(simulation.system.device, simulation.system.size());
  const bool is_together = system->calls_together() > 1;
  std::vector<parsplice::Configuration> configurations(
      static_cast<std::size_t>(is_together ? count : 1), first_configuration(simulation));
  RandomKey key{simulation.study.seed, 0, Stream::segment_noise};
  const double seconds = seconds_of_one(simulation.system.device, [&] {
    std::vector<parsplice::AdvanceRequest> requests;
    for (parsplice::Configuration& configuration : configurations)
      requests.push_back({configuration, 1, key});
    system->advance_together(requests);
    ++key.step;
  });
  const bool is_parallel = keys().is_spliced() || keys().has_parallel_replicas();
  const int at_once =
      is_together ? count : std::min(count, simulation.system.device.host_threads());
  return seconds / static_cast<double>(steps().timesteps) / (is_parallel ? at_once : 1);
}

void ParspliceStage::prepare(Simulation& simulation) {
  run_.reset();
  system_.reset();
  memory_.reset();
  before_ = {};
  told_steps_ = 0;
  workers_ = workers(simulation.system.device, simulation.system.size());
  // BITS: stages of one study have different random numbers.
  seed_ = parsplice::seed_of(simulation.study.seed,
                             {0, static_cast<Index>(std::uint64_t{simulation.system.step})});
}

void ParspliceStage::open(const Simulation& simulation) {
  if (run_) return;
  if (!system_) system_ = make_system(simulation);
  const bool has_files = !simulation.run.results.empty();
  const TrajectoryPlan plan{keys(),
                            steps(),
                            seed_,
                            workers_,
                            first_configuration(simulation),
                            has_files ? segments_path(simulation.run.results) : "",
                            simulation.run.id};
  run_ = make_trajectory_run(*system_, plan, memory_ ? &*memory_ : nullptr);
  first_steps_ = run_->steps();
  memory_.reset();
}

StageProgress ParspliceStage::advance(Simulation& simulation, ResultsGroup&) {
  const Index before = told_steps_;
  bool done = true;
  if (simulation.ranks.is_root()) {
    const auto begin = std::chrono::steady_clock::now();
    open(simulation);
    with_position(keys().where.of("correlation_time"), [&] { done = run_->run_for(block_time); });
    told_steps_ = std::clamp(run_->steps(), before, steps().goal_steps);
    wall_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const bool is_root = simulation.ranks.is_root();
  told_steps_ = simulation.ranks.minimum(is_root ? told_steps_ : std::numeric_limits<Index>::max());
  done = simulation.ranks.minimum(done ? 1 : 0) == 1;
  const double coordinates = static_cast<double>(simulation.system.size().movable);
  return {static_cast<double>(told_steps_ - before) * static_cast<double>(steps().timesteps) *
              coordinates,
          done};
}

void ParspliceStage::finish(Simulation& simulation, ResultsGroup& results) {
  const ParspliceSteps all = steps();
  // BITS: the next stage has other random numbers.
  simulation.system.step +=
      static_cast<std::uint64_t>(all.goal_steps) * static_cast<std::uint64_t>(all.timesteps);
  if (!simulation.ranks.is_root()) return;
  const TrajectoryRun::Found found = run_->found();
  // The trajectory ends at its goal, not with the segment that reaches it.
  const parsplice::Trajectory trajectory = found.trajectory.first(all.goal_steps);
  write_trajectory({trajectory, found.references, all.duration, all.correlation_steps, seed_,
                    shape_of_places(simulation)},
                   *system_, context_, results);
  write_speed(results);
  run_.reset();
}

ParspliceStage::Sums ParspliceStage::sums() const {
  Sums sums = before_;
  sums.wall_seconds += wall_seconds_;
  if (!run_) return sums;
  sums.busy_seconds += run_->busy_seconds();
  sums.steps += static_cast<double>(run_->steps() - first_steps_);
  sums.work += static_cast<double>(run_->work());
  return sums;
}

void ParspliceStage::write_speed(ResultsGroup& results) const {
  const Sums all = sums();
  const auto timesteps = static_cast<double>(steps().timesteps);
  results.set_attribute("", "workers", Index{workers_});
  results.set_attribute("", "trajectory_timesteps", all.steps * timesteps);
  results.set_attribute("", "work_timesteps", all.work * timesteps);
  results.set_attribute("", "worker_seconds", all.busy_seconds);
  // Direct dynamics would make all.work steps in all.busy_seconds.
  if (all.work > 0 && all.wall_seconds > 0)
    results.set_attribute("", "speed_up",
                          all.steps / all.wall_seconds * (all.busy_seconds / all.work));
}

std::vector<std::pair<std::string, std::string>> ParspliceStage::latest() const {
  if (!run_) return {};
  return {{"stays", fmt::format("{}", run_->stays())}};
}

StageMemory ParspliceStage::save() const {
  if (memory_) return *memory_;
  StageMemory memory;
  if (run_) run_->save(memory);
  const Sums all = sums();
  memory.numbers["sums"] = {all.wall_seconds, all.busy_seconds, all.steps, all.work};
  memory.integers["begun"] = {run_ ? 1 : 0};
  memory.integers["told"] = {told_steps_};
  return memory;
}

void ParspliceStage::load(const StageMemory& memory) {
  const std::vector<double>& sums = memory.number("sums");
  before_ = {sums.at(0), sums.at(1), sums.at(2), sums.at(3)};
  told_steps_ = memory.integer("told").at(0);
  if (memory.integer("begun").at(0) != 0) memory_ = memory;
}

}  // namespace larmor::study
