// larmor solve: searches for ground states of Ising and QUBO problems.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output_beside.hpp"
#include "cli/progress_choice.hpp"
#include "cli/shared/signals.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"
#include "larmor/ground_states/certification.hpp"
#include "larmor/ground_states/search_end.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/graphs/solution_file.hpp"
#include "larmor/study/models/discrete/system/sample_problem.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

constexpr int most_digits = 16;
constexpr int digits_of_site = 10;
constexpr std::size_t most_digits_of_number = 60;
constexpr Index most_of_cpu = 30;
constexpr Index most_named = 40;

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// Prints progress of updates, stage by stage.
class SearchReport {
 public:
  SearchReport(const io::ProblemFile& file, const SolveOptions& options,
               const std::atomic<int>& stop)
      : file_(file), mode_(progress_mode(options.progress)), stop_(stop) {}

  bool operator()(const ground_states::SearchProgress& progress) {
    if (stage_ != progress.stage) {
      finish();
      ProgressOptions options;
      options.mode = mode_;
      options.unit = "updates";
      options.width = terminal_width();
      options.total = static_cast<Index>(progress.total);
      told_.emplace(std::cerr, options);
      told_->set_stage(stage_ = progress.stage);
      done_ = 0;
    }
    if (std::isfinite(progress.least))
      told_->set_averages({{"energy", fmt::format("{:.10g}", file_.value_told(progress.least))}});
    told_->advance(static_cast<Index>(progress.done) - done_);
    done_ = static_cast<Index>(progress.done);
    return stop_ == 0;
  }

  void finish() {
    if (!told_) return;
    if (stop_ == 0)
      told_->finish();
    else
      told_->stop();
    told_.reset();
  }

 private:
  const io::ProblemFile& file_;
  ProgressMode mode_;
  const std::atomic<int>& stop_;
  std::optional<Progress> told_;
  std::string stage_;
  Index done_ = 0;
};

/// Device for the certificate: for few variables a CPU is faster than starting a GPU.
Device device_of_certificate(const ground_states::QuadraticProblem& problem,
                             const ground_states::Certification& certification,
                             const SolveOptions& options) {
  const bool must = options.backend == "cuda";
  const bool may =
      options.backend == "auto" && problem.size() > most_of_cpu && !certification.eliminates();
  const int gpu = must || may ? first_usable_gpu() : -1;
  if (gpu >= 0 || must) return Device::cuda(std::max(gpu, 0));
  return Device::cpu(static_cast<int>(options.threads));
}

/// Nothing if the time limit came first.
std::optional<ground_states::Certificate> certificate(
    const ground_states::QuadraticProblem& problem,
    const ground_states::Certification& certification, const Device& device,
    const SolveOptions& options, const ground_states::SearchEnd& end) {
  ProgressOptions shown;
  shown.mode = progress_mode(options.progress);
  shown.unit = certification.eliminates() ? "entries" : "states";
  shown.width = terminal_width();
  shown.total = static_cast<Index>(certification.work());
  Progress told(std::cerr, shown);
  told.set_stage("certificate");
  Index done = 0;
  const auto found = certification.run(problem, device, [&](double part) {
    const auto now = static_cast<Index>(part * static_cast<double>(shown.total));
    told.advance(now - done);
    done = now;
    return !end.is_here();
  });
  found ? told.finish() : told.stop();
  return found;
}

std::string time_words(const ground_states::TimeToSolution& time, const char* unit) {
  if (!std::isfinite(time.value)) return "not known";
  return fmt::format("{:.3g} {} ({:.3g} to {})", time.value, unit, time.lower,
                     std::isfinite(time.upper) ? fmt::format("{:.3g}", time.upper) : "unknown");
}

std::string certificate_words(const io::ProblemFile& file,
                              const ground_states::Certificate& certificate) {
  const char* const ground = file.is_maximised ? "" : "ground ";
  const std::string energy =
      fmt::format("of {}energy {:.{}g}", file.is_maximised ? "the largest " : "",
                  file.value_told(certificate.value), most_digits);
  if (!certificate.degeneracy)
    return fmt::format(
        "a {}state {}; the number of states is unknown: the next energy is within rounding", ground,
        energy);
  std::string number = certificate.degeneracy->digits();
  if (number.size() > most_digits_of_number)
    number = fmt::format("{}... ({} digits, all in the file)",
                         number.substr(0, most_digits_of_number / 2), number.size());
  return fmt::format("{} {}{} {}; {}", number, ground,
                     *certificate.degeneracy == 1 ? "state" : "states", energy,
                     std::isfinite(certificate.gap)
                         ? fmt::format("the next energy is {:.{}g} {}", certificate.gap,
                                       most_digits, file.is_maximised ? "below" : "above")
                         : "every state is one");
}

bool is_study(const SolveOptions& options) {
  return options.format.empty() &&
         std::filesystem::path(options.problem).extension().string() == ".toml";
}

io::ProblemFile read_as_written(const SolveOptions& options) {
  if (!is_study(options)) {
    if (options.sample)
      throw InputError("--sample belongs to a study, and '" + options.problem + "' is none",
                       "leave it out, or name a study (.toml)");
    return io::read_problem(options.problem, options.format, options.ferromagnetic);
  }
  if (options.ferromagnetic)
    throw InputError("--ferromagnetic is for lists of couplings; a study has its own signs",
                     "leave it out");
  io::ProblemFile file;
  file.format = io::ProblemFormat::study;
  file.problem = study::problem_of_sample(study::read_study(options.problem), options.sample);
  file.sample = options.sample.value_or(0);
  for (Index site = 0; site < file.problem.size(); ++site)
    file.labels.push_back(std::to_string(site));
  return file;
}

io::ProblemFile read_problem(const SolveOptions& options) {
  io::ProblemFile file = read_as_written(options);
  if (options.maximise) io::maximise(file);
  return file;
}

/// The variables that are 1, by their labels if they are few.
std::string set_words(const io::ProblemFile& file, const ground_states::State& state) {
  const bool spins = file.problem.variables == ground_states::Variables::spins;
  const auto set = std::ranges::count(state, 1);
  std::string text =
      fmt::format("{} of {} are {}", set, counted(file.problem.size(), spins ? "spin" : "bit"),
                  spins ? "+1" : "1");
  if (set == 0) return text;
  if (set > most_named) return text + ", named in the solution";
  std::string labels;
  for (std::size_t n = 0; n < state.size(); ++n)
    if (state[n] > 0) labels += (labels.empty() ? ": " : ", ") + visible(file.labels[n]);
  return text + labels;
}

void print_solution(const io::ProblemFile& file, const io::Solution& solution,
                    const std::string& output) {
  const ground_states::QuadraticProblem& problem = file.problem;
  const ground_states::SearchResult& result = solution.result;
  const bool spins = problem.variables == ground_states::Variables::spins;
  fmt::print("{}{}: {}, {}\n", solution.path,
             file.is_study() ? fmt::format(", sample {}", file.sample) : "",
             counted(problem.size(), spins ? "spin" : "bit"),
             counted(static_cast<Index>(problem.couplings.size()), "coupling"));
  if (const std::string sign = file.sign_words(); !sign.empty())
    fmt::print("{}{}\n", sign,
               file.is_ferromagnetic || file.is_study()
                   ? ""
                   : " (a study and --ferromagnetic: - sum J s s)");
  const auto told = [&](double value) {
    return fmt::format("{:.{}g}", file.value_told(value), most_digits);
  };
  fmt::print("{}energy {}", file.is_maximised ? "largest " : "", told(result.best.value));
  if (file.is_cut()) fmt::print(", cut {:.{}g}", 0 - result.best.value, most_digits);
  if (file.is_study())
    fmt::print(", {:.{}g} a site",
               file.value_told(result.best.value) / static_cast<double>(problem.size()),
               digits_of_site);
  fmt::print("; {} or {} in {} of {}\n", told(solution.solved_at),
             file.is_maximised ? "more" : "less", solution.outcome.found,
             counted(result.repeats.count(), "repeat"));
  fmt::print("{}\n", set_words(file, result.best.state));
  if (!result.has_swept && result.updates == 0)
    fmt::print("nothing was swept before the end: the state is the minimum next to a random one\n");
  else if (!result.has_swept)
    fmt::print("no repeat began before the end: the state is from the search for temperatures\n");
  else if (result.unfinished > 0)
    fmt::print("{} more {} not complete, and {} only for the best state\n", result.unfinished,
               result.unfinished == 1 ? "repeat is" : "repeats are",
               result.unfinished == 1 ? "counts" : "count");
  if (result.repeats.count() == 0)
    fmt::print("time to solution (99 %): not known, as no repeat is complete\n");
  else
    fmt::print("time to solution (99 %): {}, {} of a thread\n",
               time_words(solution.outcome.sweeps, "sweeps"),
               time_words(solution.outcome.seconds, "s"));
  if (const auto& certificate = solution.certificate) {
    fmt::print("certificate: {}\n", certificate_words(file, *certificate));
    if (!solution.is_ground_state(problem)) fmt::print("the search has not found it\n");
  } else if (solution.lacks_certificate) {
    fmt::print("certificate: none, because it was not complete at the end\n");
  }
  fmt::print("{}\n", output);
}

}  // namespace

int solve(const SolveOptions& options) {
  const std::string output =
      options.output.empty() ? output_beside(options.problem, "-solution.json") : options.output;
  require_no_study(output);
  const io::ProblemFile file = read_problem(options);
  std::error_code missing;
  if (std::filesystem::equivalent(output, options.problem, missing))
    throw InputError("the output '" + output + "' is the problem itself",
                     "choose another --output");
  // An error in the request for a certificate is reported before the search.
  std::optional<ground_states::Certification> certification;
  if (options.certify) certification.emplace(file.problem, options.backend == "cuda");
  const Device device =
      certification ? device_of_certificate(file.problem, *certification, options) : Device::cpu(1);
  io::WholeFile written(output, options.force ? io::IfExists::replace : io::IfExists::refuse);
  ground_states::SearchSettings settings = options.search;
  if (settings.target) settings.target = file.value_told(*settings.target);
  settings.threads = Device::cpu(static_cast<int>(options.threads)).threads;
  ground_states::require_names(settings.repeats, settings.rungs);
  if (settings.coldest && settings.hottest && *settings.coldest >= *settings.hottest)
    throw InputError("--coldest is not below --hottest", "give a lower and a higher temperature");
  const std::atomic<int>& stop = catch_signals();
  const ground_states::SearchEnd end(settings.seconds, &stop);
  // The other half of the time is for the proof.
  if (certification) settings.seconds /= 2;
  const ground_states::SearchEnd end_of_search(settings.seconds, &stop);
  SearchReport report(file, options, stop);
  io::Solution solution = io::solution_of(
      settings, ground_states::search(file.problem, settings, std::ref(report), end_of_search));
  report.finish();
  // The solution of the search is written even if memory is too small for the proof.
  std::exception_ptr failure;
  if (certification && !end.is_here()) try {
      solution.certificate = certificate(file.problem, *certification, device, options, end);
    } catch (const MachineError&) {
      failure = std::current_exception();
    }
  solution.lacks_certificate = options.certify && !solution.certificate;
  solution.path = options.problem;
  solution.version = version;
  solution.command = options.command;
  written.write(io::solution_json(file, solution));
  written.finish();
  print_solution(file, solution, output);
  if (failure) std::rethrow_exception(failure);
  return stop == 0 ? 0 : 128 + stop;
}

}  // namespace larmor::cli
