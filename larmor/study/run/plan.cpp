#include "larmor/study/run/plan.hpp"

#include <fmt/core.h>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/trial.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

/// Seconds that one update of every site and replica of a study takes, tried out.
class Speeds {
 public:
  /// @param system as system_to_look_at makes it
  Speeds(const Study& study, const Blueprint& blueprint, System& system,
         const MemoryForecast& memory)
      : study_(study),
        blueprint_(blueprint),
        system_(&system),
        all_(study.replicas),
        trial_(find_trial(study, system, memory)) {}

  double seconds_per_update(std::size_t stage) {
    if (trial_) try {
        Simulation simulation{trial_->study, *trial_->system, trial_->ranks};
        return trial_->scale * make_stage(trial_->study, trial_->study.stage[stage])
                                   ->seconds_per_update(simulation);
      } catch (const InputError&) {
        // Of the trial perhaps; the study itself will tell.
        trial_.reset();
      }
    if (!whole_ && !has_all_replicas(study_, *system_)) {
      whole_ = blueprint_.make({system_->device, all_.share(), nullptr});
      whole_->begin(study_);
      system_ = whole_.get();
    }
    Simulation simulation{study_, *system_, all_};
    return make_stage(study_, study_.stage[stage])->seconds_per_update(simulation);
  }

 private:
  const Study& study_;
  const Blueprint& blueprint_;
  System* system_;
  Ranks all_;
  std::unique_ptr<Trial> trial_;
  std::unique_ptr<System> whole_;  ///< made where there is no trial
};

}  // namespace

Plan plan_study(const Study& study, const DeviceOverrides& overrides) {
  const Ranks one(study.replicas);
  const std::unique_ptr<Blueprint> blueprint = study.tables->blueprint();
  const Device device = device_of(study, blueprint->size(), overrides);
  const MemoryForecast memory =
      require_memory(study, *blueprint, device, overrides.ranks_on_node, one);
  std::unique_ptr<System> system = system_to_look_at(study, *blueprint, device);
  require_working_memory(study, *system, memory);
  Speeds speeds(study, *blueprint, *system, memory);

  Plan plan;
  plan.advice = system->advice();
  std::vector<std::string>& lines = plan.lines;
  if (!study.title.empty()) lines.push_back(study.title);
  for (const std::string& line : system->plan(study)) lines.push_back(line);
  Simulation simulation{study, *system, one};
  std::size_t number = 0;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(study, table);
    stage->require_beginning(simulation, number == 0);
    const double updates = stage->updates_on(system->size());
    const double time = updates * speeds.seconds_per_update(number);
    const bool is_open = stage->ends_on_convergence();
    (is_open ? plan.most_to_converge : plan.seconds) += time;
    lines.push_back(fmt::format("stage {:<3} {}: {}; {} {}", ++number, stage->kind(), stage->plan(),
                                is_open ? "ends on convergence, after at most" : "about",
                                format_duration(time)));
    for (const Advice& advice : stage->advice(simulation))
      lines.push_back("          " + advice.words);
  }
  lines.push_back(fmt::format("replicas  {}, on {}", study.replicas, device_words(device)));
  const double tables = table_bytes(study, *system);
  lines.push_back(fmt::format("memory    {:.1f} MiB {}, {:.1f} MiB tables, {:.1f} MiB to work in",
                              memory.state / 1048576, study.matter->state_name(), tables / 1048576,
                              (memory.work + memory.host) / 1048576));
  if (device.backend == Backend::cuda) {
    const GpuInfo gpu = gpu_of(device);
    lines.push_back(fmt::format("          {} of GPU {}, which has {} free of {}",
                                memory_text(memory.state + memory.work + tables), gpu.ordinal,
                                memory_text(static_cast<double>(gpu.free_bytes)),
                                memory_text(static_cast<double>(gpu.total_bytes))));
    const std::string advice = system->kernel_advice();
    if (!advice.empty()) lines.push_back("kernels   " + advice);
  }
  lines.push_back("time      " + plan.time_words());
  return plan;
}

std::string Plan::time_words() const {
  const std::string most = "at most " + format_duration(most_to_converge);
  if (most_to_converge == 0) return "about " + format_duration(seconds);
  if (seconds == 0) return most + ", less where stages converge sooner";
  return "about " + format_duration(seconds) + ", and " + most +
         " more until the stages have converged that end so";
}

}  // namespace larmor::study
