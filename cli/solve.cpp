// larmor solve: searches for ground states of Ising and QUBO problems.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/shared/exit.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"
#include "larmor/ground_states/certification.hpp"
#include "larmor/ground_states/search_end.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/files/toml.hpp"
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
/// Limits of a search. They keep the keys of random numbers unique, which count repeats and sweeps.
constexpr Index most_repeats = 1'000'000;
constexpr Index most_sweeps = Index{1} << 38;

struct Solve final : Command {
  std::string problem;
  std::string folder;  ///< folder of the files that a study names; empty: the folder of the study
  std::string format;  ///< a name from io::problem_format_names(); empty: detected
  bool ferromagnetic = false;   ///< see io::ProblemFile
  std::optional<Index> sample;  ///< sample of a study
  bool maximise = false;        ///< if set, `search.target` is a lower limit
  std::string output;           ///< empty: in the folder of the problem
  ground_states::SearchSettings search;
  bool anneals = false;
  std::optional<Index> repeats, sweeps;
  bool certify = false;
  std::string backend = "auto";  ///< backend of the certificate
  std::string progress = "auto";
  Index threads = 0;
  bool force = false;

  Solve();
  void add_options(CLI::App& app) override;
  void add_search_options(CLI::App& app);
  int run() override;
  void complete_search();
};

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// Prints progress of updates, stage by stage.
class SearchReport {
 public:
  SearchReport(const io::ProblemFile& file, const Solve& options, const std::atomic<int>& stop)
      : file_(file), options_(progress_options(options.progress)), stop_(stop) {}

  bool operator()(const ground_states::SearchProgress& progress) {
    if (stage_ != progress.stage) {
      finish();
      options_.total = static_cast<Index>(progress.total);
      display_.emplace(std::cerr, options_);
      display_->set_stage(stage_ = progress.stage);
      done_ = 0;
    }
    if (std::isfinite(progress.least))
      display_->set_averages(
          {{"energy", fmt::format("{:.10g}", file_.reported_value(progress.least))}});
    display_->advance(static_cast<Index>(progress.done) - done_);
    done_ = static_cast<Index>(progress.done);
    return stop_ == 0;
  }

  void finish() {
    if (!display_) return;
    if (stop_ == 0)
      display_->finish();
    else
      display_->stop();
    display_.reset();
  }

 private:
  const io::ProblemFile& file_;
  ProgressOptions options_;
  const std::atomic<int>& stop_;
  std::optional<Progress> display_;
  std::string stage_;
  Index done_ = 0;
};

/// Device for the certificate. A CPU is chosen for few variables, since starting a GPU takes
/// longer.
Device device_of_certificate(const ground_states::QuadraticProblem& problem,
                             const ground_states::Certification& certification,
                             const Solve& options) {
  const bool must = options.backend == "cuda";
  const bool may =
      options.backend == "auto" && problem.size() > most_of_cpu && !certification.eliminates();
  const int gpu = must || may ? first_usable_gpu() : -1;
  if (gpu >= 0 || must) return Device::cuda(std::max(gpu, 0));
  return Device::cpu(static_cast<int>(options.threads));
}

/// Proves the ground state. Returns nothing if the time limit came before the end of the proof.
std::optional<ground_states::Certificate> certificate(
    const ground_states::QuadraticProblem& problem,
    const ground_states::Certification& certification, const Device& device, const Solve& options,
    const ground_states::SearchEnd& end) {
  ProgressOptions shown = progress_options(options.progress);
  shown.unit = certification.eliminates() ? "entries" : "states";
  shown.total = static_cast<Index>(certification.work());
  Progress progress(std::cerr, shown);
  progress.set_stage("certificate");
  Index done = 0;
  const auto found = certification.run(problem, device, [&](double fraction) {
    const auto now = static_cast<Index>(fraction * static_cast<double>(shown.total));
    progress.advance(now - done);
    done = now;
    return !end.is_reached();
  });
  found ? progress.finish() : progress.stop();
  return found;
}

std::string time_text(const ground_states::TimeToSolution& time, const char* unit) {
  if (!std::isfinite(time.value)) return "not known";
  return fmt::format("{:.3g} {} ({:.3g} to {})", time.value, unit, time.lower,
                     std::isfinite(time.upper) ? fmt::format("{:.3g}", time.upper) : "unknown");
}

std::string certificate_text(const io::ProblemFile& file,
                             const ground_states::Certificate& certificate) {
  const char* const ground = file.is_maximised ? "" : "ground ";
  const std::string energy =
      fmt::format("of {}energy {:.{}g}", file.is_maximised ? "the largest " : "",
                  file.reported_value(certificate.value), most_digits);
  if (!certificate.degeneracy)
    return fmt::format(
        "a {}state {}; the number of such states is unknown, because the next energy is equal "
        "within rounding",
        ground, energy);
  std::string number = certificate.degeneracy->digits();
  if (number.size() > most_digits_of_number)
    number = fmt::format("{}... ({} digits, all in the file)",
                         number.substr(0, most_digits_of_number / 2), number.size());
  return fmt::format("{} {}{} {}; {}", number, ground,
                     *certificate.degeneracy == 1 ? "state" : "states", energy,
                     std::isfinite(certificate.gap)
                         ? fmt::format("the next energy is {:.{}g} {}", certificate.gap,
                                       most_digits, file.is_maximised ? "below" : "above")
                         : "every state has this energy");
}

/// @param folder folder of the files that the study names; empty: the folder of the study
study::Study study_in(const std::string& path, const std::string& folder) {
  return folder.empty()
             ? study::read_study(path)
             : study::parse_study(io::read_text(path), path, std::filesystem::absolute(folder));
}

bool is_study(const Solve& options) {
  return options.format.empty() &&
         std::filesystem::path(options.problem).extension().string() == ".toml";
}

io::ProblemFile read_as_written(const Solve& options) {
  if (!is_study(options)) {
    if (options.sample || !options.folder.empty())
      throw InputError(std::string(options.sample ? "--sample" : "--folder") +
                           " is for studies, and '" + options.problem + "' is not a study",
                       "leave the option out, or name a study (.toml)");
    return io::read_problem(options.problem, options.format, options.ferromagnetic);
  }
  if (options.ferromagnetic)
    throw InputError("--ferromagnetic is for lists of couplings; a study has its own signs",
                     "leave --ferromagnetic out");
  io::ProblemFile file;
  file.format = io::ProblemFormat::study;
  file.problem =
      study::problem_of_sample(study_in(options.problem, options.folder), options.sample);
  file.sample = options.sample.value_or(0);
  for (Index site = 0; site < file.problem.size(); ++site)
    file.labels.push_back(std::to_string(site));
  return file;
}

io::ProblemFile read_problem(const Solve& options) {
  io::ProblemFile file = read_as_written(options);
  if (options.maximise) io::maximise(file);
  return file;
}

/// Text that lists the variables with the value 1, by their labels if they are few.
std::string set_variables_text(const io::ProblemFile& file, const ground_states::State& state) {
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
  if (const std::string sign = file.sign_text(); !sign.empty())
    fmt::print("{}{}\n", sign,
               file.is_ferromagnetic || file.is_study()
                   ? ""
                   : " (H = - sum J s s for a study or with --ferromagnetic)");
  const auto reported = [&](double value) {
    return fmt::format("{:.{}g}", file.reported_value(value), most_digits);
  };
  fmt::print("{}energy {}", file.is_maximised ? "largest " : "", reported(result.best.value));
  if (file.is_cut()) fmt::print(", cut {:.{}g}", 0 - result.best.value, most_digits);
  if (file.is_study())
    fmt::print(", {:.{}g} a site",
               file.reported_value(result.best.value) / static_cast<double>(problem.size()),
               digits_of_site);
  fmt::print("; {} or {} in {} of {}\n", reported(solution.solved_at),
             file.is_maximised ? "more" : "less", solution.outcome.found,
             counted(result.repeats.count(), "repeat"));
  fmt::print("{}\n", set_variables_text(file, result.best.state));
  if (!result.has_swept && result.updates == 0)
    fmt::print("no sweep was done before the end: the state is the minimum near a random state\n");
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
               time_text(solution.outcome.sweeps, "sweeps"),
               time_text(solution.outcome.seconds, "s"));
  if (const auto& certificate = solution.certificate) {
    fmt::print("certificate: {}\n", certificate_text(file, *certificate));
    if (!solution.is_ground_state(problem)) fmt::print("the search has not found such a state\n");
  } else if (solution.lacks_certificate) {
    fmt::print("certificate: none, because the proof was not complete at the end\n");
  }
  fmt::print("{}\n", output);
}

Solve::Solve()
    : Command(
          "solve", "Find the ground state of an Ising or QUBO problem",
          "Formats: bqm (dimod, JSON or to_file()), coo (rows i j value), qubo (qbsolv), sparse\n"
          "(QUBO of Biq Mac) and maxcut (graphs of rudy, Biq Mac and Gset). The search minimises\n"
          "the energy, or for graphs minus the cut. With --maximise it looks for the largest "
          "value.\n"
          "Examples:\n"
          "  larmor solve glass.txt                     Write glass-solution.json.\n"
          "  larmor solve bonds.txt --ferromagnetic     H = - sum J s s, as in a study.\n"
          "  larmor solve glass.toml --sample 3         Couplings that a study draws.\n"
          "  larmor solve portfolio.json --certify      Proof, up to 40 variables or if sparse.\n"
          "  larmor solve profit.qubo --maximise        The largest value.\n"
          "  larmor solve G1 --format maxcut --target-energy -11624 --seconds 60\n"
          "  larmor solve dense.qubo --anneal --sweeps 1000 --repeats 500 -o dense.json "
          "--force\n") {}

void Solve::add_options(CLI::App& app) {
  app.add_option("problem", problem, "file of the problem, or a study of Ising spins")->required();
  app.add_option("--sample", sample, "number of the sample of a study, from 0")
      ->check(whole_number(0));
  add_folder_option(app, folder);
  app.add_option("--format", format, "format of the file (from its ending or first line)")
      ->check(CLI::IsMember(io::problem_format_names()));
  add_search_options(app);
  app.add_flag("--ferromagnetic", ferromagnetic,
               "rows i j J between spins have the sign of a study: J > 0 is ferromagnetic");
  app.add_flag("--maximise,--maximize", maximise,
               "search for the largest value of the function in the file, or for the largest cut "
               "of a graph. The output gives values of this function as energies");
  app.add_flag(
      "--certify", certify,
      "prove the ground state and count the ground states. The proof is possible for up to 40 "
      "variables, and for larger sparse problems such as strips, trees and grids of 20 x 20");
  app.add_option("--backend", backend, "processor for the certificate (auto)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_option("--seed", search.seed, "seed of random numbers (1)")->check(whole_number(0));
  add_threads_option(app, threads);
  add_progress_option(app, progress);
  app.add_option("-o,--output", output, "file to write, JSON (PROBLEM-solution.json)");
  app.add_flag("-f,--force", force, "replace an existing file");
}

void Solve::add_search_options(CLI::App& app) {
  app.add_flag("--anneal", anneals,
               "simulated annealing instead of parallel tempering; every repeat cools once");
  app.add_option("--repeats", repeats, "number of independent searches (16)")
      ->check(whole_number(1, most_repeats));
  app.add_option("--sweeps", sweeps,
                 "number of sweeps of every rung or annealing (4000). If only --seconds is given, "
                 "parallel tempering goes on until that time")
      ->check(whole_number(1, most_sweeps));
  app.add_option("--seconds", search.seconds,
                 "time limit of the search in seconds. Results then depend on the machine")
      ->check(positive_number());
  app.add_option("--target-energy", search.target,
                 "energy at or below which a repeat ends (with --maximise: at or above)")
      ->check(finite_number());
  app.add_option("--coldest", search.coldest,
                 "lowest temperature, in the unit of the energy (from the problem)")
      ->check(positive_number());
  app.add_option("--hottest", search.hottest,
                 "highest temperature, in the unit of the energy (from the problem)")
      ->check(positive_number());
  app.add_option("--rungs", search.rungs, "number of temperatures of a ladder (from the problem)")
      ->check(whole_number(2, 1000));
}

/// Sets those settings of the search that depend on several options.
void Solve::complete_search() {
  if (anneals) search.method = ground_states::SearchMethod::annealing;
  const bool is_timed = std::isfinite(search.seconds);
  search.open_ended = is_timed && !anneals && !sweeps;
  if (is_timed && anneals) search.repeats = most_repeats;
  if (search.open_ended) search.sweeps = most_sweeps;
  if (repeats) search.repeats = *repeats;
  if (sweeps) search.sweeps = *sweeps;
}

int Solve::run() {
  complete_search();
  if (output.empty()) output = default_output(problem, "-solution.json");
  require_no_study(output);
  const io::ProblemFile file = read_problem(*this);
  std::error_code missing;
  if (std::filesystem::equivalent(output, problem, missing))
    throw InputError("the output '" + output + "' is the problem itself",
                     "choose another --output");
  // An error in the request for a certificate is reported before the search begins.
  std::optional<ground_states::Certification> certification;
  if (certify) certification.emplace(file.problem, backend == "cuda");
  const Device device =
      certification ? device_of_certificate(file.problem, *certification, *this) : Device::cpu(1);
  io::WholeFile written(output, force ? io::IfExists::replace : io::IfExists::refuse);
  if (search.target) search.target = file.reported_value(*search.target);
  search.threads = Device::cpu(static_cast<int>(threads)).threads;
  ground_states::require_names(search.repeats, search.rungs);
  if (search.coldest && search.hottest && *search.coldest >= *search.hottest)
    throw InputError("--coldest is not below --hottest",
                     "give a --coldest that is lower than --hottest");
  const std::atomic<int>& stop = catch_signals();
  const ground_states::SearchEnd end(search.seconds, &stop);
  // The search has one half of the time limit, and the proof has the other half.
  if (certification) search.seconds /= 2;
  const ground_states::SearchEnd end_of_search(search.seconds, &stop);
  SearchReport report(file, *this, stop);
  io::Solution solution = io::solution_of(
      search, ground_states::search(file.problem, search, std::ref(report), end_of_search));
  report.finish();
  // The solution of the search is written even if memory is too small for the proof.
  std::exception_ptr failure;
  if (certification && !end.is_reached()) try {
      solution.certificate = certificate(file.problem, *certification, device, *this, end);
    } catch (const MachineError&) {
      failure = std::current_exception();
    }
  solution.lacks_certificate = certify && !solution.certificate;
  solution.path = problem;
  solution.version = version;
  solution.command = command_line;
  written.write(io::solution_json(file, solution));
  written.finish();
  print_solution(file, solution, output);
  if (failure) std::rethrow_exception(failure);
  return stop == 0 ? 0 : 128 + stop;
}

}  // namespace

std::unique_ptr<Command> make_solve() { return std::make_unique<Solve>(); }

}  // namespace larmor::cli
