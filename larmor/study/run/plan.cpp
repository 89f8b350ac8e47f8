#include "larmor/study/run/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/trial.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

/// A value without its size: 0, a number, a word, or a list or table of these.
std::string kind_of_size(const Value& value) {
  std::string text;
  if (value.is_number()) return value.as_number() == 0 ? "0" : "x";
  if (value.is_string())
    return std::strtod(value.as_string().c_str(), nullptr) != 0 ? "x" : value.as_string();
  if (value.is_array())
    for (const Value& item : value.as_array()) text += kind_of_size(item) + ",";
  if (value.is_table())
    for (const Value::Entry& entry : value.as_table())
      text += entry.key + "=" + kind_of_size(entry.value) + ",";
  return "[" + text + "]";
}

/// Similar stages have equal texts. Ramps of temperatures and fields have many of them.
std::string text_of_similar(const Value& stage) {
  std::string text;
  for (const Value::Entry& entry : stage.as_table()) {
    bool sized = true;
    for (const char* key : {"temperature", "timestep", "added_field", "pulse"})
      sized = sized && entry.key != key;
    text +=
        entry.key + "=" + (sized ? to_toml_value(entry.value) : kind_of_size(entry.value)) + "\n";
  }
  return text;
}

/// Measures the seconds that one update of every site and replica of a study takes.
class Speeds {
 public:
  /// @param system the one that preview_system makes
  Speeds(const Study& study, const Blueprint& blueprint, System& system,
         const MemoryForecast& memory)
      : study_(study),
        blueprint_(blueprint),
        system_(&system),
        all_(study.replicas),
        trial_(find_trial(study, system, memory)) {
    for (const Value& stage : study.stage) ++similar_[text_of_similar(stage)].stages;
  }

  /// @param stage each stage once, in their order
  double seconds_per_update(std::size_t stage) {
    // Some temperatures may be slower than others.
    constexpr Index most_tried = 8;
    Similar& similar = similar_.at(text_of_similar(study_.stage[stage]));
    const Index between = (similar.stages + most_tried - 1) / most_tried;
    if (similar.asked++ % between == 0)
      similar.seconds = tried<double>(stage, [](Stage& one, Simulation& simulation) {
        return one.seconds_per_update(simulation);
      });
    return similar.seconds;
  }
  /// Seconds of a stage that ends on convergence, from a short run. Nothing if the stage gives no
  /// estimate.
  std::optional<double> seconds_to_converge(std::size_t stage) {
    return tried<std::optional<double>>(stage, run_for_a_moment);
  }

 private:
  /// Stages of which only some are tried.
  struct Similar {
    Index stages = 0, asked = 0;
    double seconds = 0;
  };

  /// The result of `attempt` on the trial, if there is one, scaled up. Otherwise the result on the
  /// study.
  template <class Seconds, class Try>
  Seconds tried(std::size_t stage, const Try& attempt) {
    if (trial_) try {
        Simulation simulation{trial_->study, *trial_->system, trial_->ranks};
        Seconds seconds =
            attempt(*make_stage(trial_->study, trial_->study.stage[stage]), simulation);
        return scaled(seconds, trial_->scale);
      } catch (const InputError&) {
        // Only the trial may have this error. If the study has an error, its own attempt reports
        // it.
        trial_.reset();
      }
    if (!whole_ && !has_all_replicas(study_, *system_)) {
      whole_ = blueprint_.make({system_->device, all_.share(), nullptr});
      whole_->begin(study_);
      system_ = whole_.get();
    }
    Simulation simulation{study_, *system_, all_};
    return attempt(*make_stage(study_, study_.stage[stage]), simulation);
  }
  static double scaled(double seconds, double scale) { return seconds * scale; }
  static std::optional<double> scaled(const std::optional<double>& seconds, double scale) {
    return seconds ? std::optional(*seconds * scale) : seconds;
  }

  static std::optional<double> run_for_a_moment(Stage& stage, Simulation& simulation) {
    System& system = simulation.system;
    const Blocks state = system.save(simulation.ranks);
    const std::uint64_t step = system.step;
    const std::optional<double> seconds = time_for_a_moment(stage, simulation);
    system.load(state, simulation.ranks);
    system.step = step;
    return seconds;
  }

  static std::optional<double> time_for_a_moment(Stage& stage, Simulation& simulation) {
    constexpr double moment = 0.5;
    const auto start = std::chrono::steady_clock::now();
    ResultsGroup nowhere(nullptr, "");
    double seconds = 0;
    std::optional<Residual> first;
    try {
      stage.prepare(simulation);
      while (seconds < moment) {
        const bool done = stage.advance(simulation, nowhere).done;
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (done) return seconds;
        if (!first) first = stage.residual();
      }
    } catch (const InputError&) {
      // Earlier stages leave another state. If the stage cannot begin from that state, `run`
      // reports it.
      return {};
    } catch (const UnphysicalError&) {
      return {};
    }
    const std::optional<Residual> last = stage.residual();
    if (!last) return {};
    // Residuals fall about exponentially.
    const double fallen =
        std::log(first->value / last->value) / std::log(first->value / last->tolerance);
    const double share = (static_cast<double>(last->index) + std::clamp(fallen, 0.0, 1.0)) /
                         static_cast<double>(last->count);
    // The beginning of a single minimisation tells little about its end.
    const double least_share = last->count > 1 ? 0.02 : 0.3;
    return share > least_share ? std::optional(seconds / share) : std::nullopt;
  }

  const Study& study_;
  const Blueprint& blueprint_;
  System* system_;
  Ranks all_;
  std::unique_ptr<Trial> trial_;
  std::unique_ptr<System> whole_;  ///< made only without a trial
  std::map<std::string, Similar> similar_;
};

}  // namespace

Plan plan_study(const Study& study, const DeviceOverrides& overrides) {
  const Ranks one(study.replicas);
  const std::unique_ptr<Blueprint> blueprint = study.tables->blueprint();
  const Device device = device_of(study, blueprint->size(), overrides);
  const MemoryForecast memory =
      require_memory(study, *blueprint, device, overrides.ranks_on_node, one);
  std::unique_ptr<System> system = preview_system(study, *blueprint, device);
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
    const bool is_open = stage->ends_on_convergence();
    const std::optional<double> tried =
        is_open ? speeds.seconds_to_converge(number) : std::optional<double>();
    const double most = stage->updates_on(system->size()) * speeds.seconds_per_update(number);
    const double time = std::min(most, tried.value_or(most));
    (is_open && !tried ? plan.most_to_converge : plan.seconds) += time;
    lines.push_back(fmt::format("stage {:<3} {}: {}; {} {}", ++number, stage->kind(), stage->plan(),
                                !is_open ? "about"
                                : tried  ? "ends on convergence, after about"
                                         : "ends on convergence, after at most",
                                format_duration(time)));
    for (const Advice& advice : stage->advice(simulation))
      lines.push_back("          " + advice.words);
  }
  lines.push_back(fmt::format("replicas  {}, on {}", study.replicas, device_text(device)));
  const double tables = table_bytes(study, *system);
  lines.push_back(fmt::format("memory    {:.1f} MiB {}, {:.1f} MiB tables, {:.1f} MiB to work in",
                              memory.state / 1048576, study.model_kind->state_name(),
                              tables / 1048576, (memory.work + memory.host) / 1048576));
  if (device.backend == Backend::cuda) {
    const GpuInfo gpu = gpu_of(device);
    lines.push_back(fmt::format("          {} of GPU {}, which has {} free of {}",
                                memory_text(memory.state + memory.work + tables), gpu.ordinal,
                                memory_text(static_cast<double>(gpu.free_bytes)),
                                memory_text(static_cast<double>(gpu.total_bytes))));
    const std::string advice = system->kernel_advice();
    if (!advice.empty()) lines.push_back("kernels   " + advice);
  }
  lines.push_back("time      " + plan.time_text());
  return plan;
}

std::string Plan::time_text() const {
  const std::string most = "at most " + format_duration(most_to_converge);
  if (most_to_converge == 0) return "about " + format_duration(seconds);
  if (seconds == 0) return most + ", less if stages converge sooner";
  return "about " + format_duration(seconds) + ", and " + most +
         " more until the stages that end on convergence have converged";
}

}  // namespace larmor::study
