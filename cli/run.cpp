// larmor run and larmor resume: run or continue a study or a scan.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/shared/exit.hpp"
#include "cli/shared/options.hpp"
#include "cli/shared/profile.hpp"
#include "cli/shared/ranks.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/text.hpp"
#include "larmor/imports/uppasd/output.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/scan/scan_results.hpp"
#include "larmor/study/scan/scan_run.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

/// @param notes as from add_note
void print_notes(ProgressMode mode, std::string notes) {
  if (mode != ProgressMode::json) {
    std::cerr << "note: " << notes << std::endl;
    return;
  }
  const std::string between = between_notes;
  while (!notes.empty()) {
    const std::size_t end = notes.find(between);
    std::cerr << R"({"event":"note","text":)" << json_string(notes.substr(0, end)) << "}"
              << std::endl;
    notes = end == std::string::npos ? "" : notes.substr(end + between.size());
  }
}

void join_ranks(study::RunOptions& options, const Communicator& world) {
  options.world = &world;
  options.on_error = [&world](const std::exception& error) { end_all_ranks(world, error); };
  options.device.rank_on_node = world.rank_on_node();
  options.device.ranks_on_node = world.size_on_node();
}

/// A study without [[scan]] tables has no points. @throws InputError if --points-at-once is given
void refuse_points_at_once(const study::RunOptions& options) {
  if (options.points_at_once > 1)
    throw InputError("--points-at-once is for scans, and the study has no [[scan]] table",
                     "leave the option out: replicas of a study always run concurrently");
}

/// Prints the outcome on the root. @return exit code
int report(const study::RunOutcome& outcome, const study::RunOptions& options,
           const Communicator& world) {
  const int code = outcome.completed ? 0 : 128 + outcome.signal;
  if (!world.is_root()) return code;
  if (!outcome.note.empty()) options.on_note(outcome.note);
  // The line is flushed at once, because mpirun may end all ranks as soon as one rank has ended.
  std::cout << (outcome.completed ? "results: " : "stopped; go on with: larmor resume ")
            << (outcome.completed ? options.output : shell_word(options.output)) << std::endl;
  return code;
}

/// UppASD's own files, which follow the results of a complete run. The results hold the path of
/// inpsd.dat, its checksum and --force, so that `larmor resume` writes the files too.
class UppasdFiles {
 public:
  static constexpr const char* input_attribute = "uppasd_input";
  static constexpr const char* checksum_attribute = "uppasd_checksum";
  static constexpr const char* force_attribute = "uppasd_force";

  /// @param results path of the results @throws InputError for a file that is not an input of
  /// UppASD, and for files that exist if `force` is false
  UppasdFiles(const std::string& input, std::string results, bool force)
      : output_(input), results_(std::move(results)), force_(force) {
    if (force_) return;
    for (const std::string& path : output_.files(folder()))
      if (fs::exists(path))
        throw InputError("the output '" + path + "' exists",
                         "give --force to replace this file, or choose another folder by --output");
  }

  /// For a resumed run; null if it writes no such files.
  static std::unique_ptr<UppasdFiles> of_results(const std::string& results) {
    const io::Attributes attributes = io::ResultsReader(results).attributes("/provenance");
    if (!attributes.contains(input_attribute)) return nullptr;
    const std::string input = attributes.at(input_attribute).text();
    const std::string remedy = "restore it, because UppASD's files depend on it";
    if (!fs::exists(input)) throw InputError("the input '" + input + "' is missing", remedy);
    if (io::file_checksum(input) != attributes.at(checksum_attribute).one<std::uint64_t>())
      throw InputError("the input '" + input + "' has changed since the run began", remedy);
    return std::make_unique<UppasdFiles>(input, results,
                                         attributes.at(force_attribute).integer() != 0);
  }

  static void note_in(io::Attributes& provenance, const std::string& input, bool force) {
    provenance.insert_or_assign(input_attribute, fs::absolute(input).string());
    provenance.insert_or_assign(checksum_attribute, io::file_checksum(input));
    provenance.insert_or_assign(force_attribute, Index{force});
  }

  /// The results must be complete.
  void write(study::RunOutcome& outcome) const {
    const imports::UppasdOutput::Written written =
        output_.write(io::ResultsReader(results_), folder(),
                      force_ ? io::IfExists::replace : io::IfExists::refuse);
    for (const std::string& note : written.notes) add_note(outcome.note, note);
    std::vector<std::string> names;
    for (const std::string& path : written.paths)
      names.push_back(fs::path(path).filename().string());
    add_note(outcome.note, "UppASD's files: " + comma_list(names));
  }

 private:
  std::string folder() const { return fs::path(results_).parent_path().string(); }

  imports::UppasdOutput output_;
  std::string results_;
  bool force_;
};

/// The options and the work that `run` and `resume` share.
struct StudyCommand : Command {
  std::string progress = "auto";
  bool profiled = false;
  study::RunOptions options;

  using Command::Command;

  void add_run_options(CLI::App& app) {
    add_progress_option(app, progress);
    add_device_options(app, options.device, true);
    app.add_option("--checkpoint-every", options.checkpoint_every, "seconds between checkpoints")
        ->check(positive_number());
    add_profile_option(app, profiled);
    app.add_option("--points-at-once", options.points_at_once,
                   "number of points of a scan that run concurrently (1). These points share the "
                   "CPU threads and the GPUs. Results do not depend on this number")
        ->check(whole_number(1, 1024))
        ->excludes("--profile");
  }

  virtual study::RunOutcome run_on(const Communicator& world) = 0;

  int run() final {
    const ProgressOptions shown = progress_options(progress);
    options.progress = shown.mode;
    options.width = shown.width;
    options.progress_stream = &std::cerr;
    options.on_note = [mode = shown.mode](const std::string& notes) { print_notes(mode, notes); };
    options.command = command_line;
    return run_profiled(profiled, [&] {
      options.stop = &catch_signals();
      return on_all_ranks([&](const Communicator& world) {
        join_ranks(options, world);
        return report(run_on(world), options, world);
      });
    });
  }
};

struct Run final : StudyCommand {
  std::string file, folder;
  std::vector<std::string> changes;
  bool uppasd_output = false;

  Run()
      : StudyCommand(
            "run", "Run every stage of a study",
            "Examples:\n  larmor run study.toml\n"
            "  larmor run study.toml -o hot.h5 --force    Replace hot.h5.\n"
            "  larmor run study.toml --backend cuda --precision mixed    Run on a GPU.\n"
            "  larmor run study.toml --set replicas=8 --set 'stage.1.temperature=[0.5, 1.0]' -o "
            "few.h5\n"
            "  larmor run scan.toml --backend cuda --points-at-once 8    Run 8 points at once.\n"
            "  larmor run inpsd.dat --uppasd-output       Also write UppASD's own files.\n"
            "  larmor run study.toml --profile            Print where the time went.\n") {}

  void add_options(CLI::App& app) override {
    app.add_option("study", file, "study file (TOML)")->required();
    app.add_option("-o,--output", options.output, "results file to write (STUDY.h5)");
    app.add_flag("-f,--force", options.force, "replace existing results");
    add_set_option(app, changes);
    add_folder_option(app, folder);
    app.add_flag("--uppasd-output", uppasd_output,
                 "for an input of UppASD: also write UppASD's own files into the folder of the "
                 "results when the run is complete: averages, cumulants, totenergy, sqw, restart "
                 "and others that the input requests");
    add_run_options(app);
  }

  study::RunOutcome run_on(const Communicator& world) override {
    if (options.output.empty())
      options.output = fs::path(file).filename().replace_extension(".h5").string();
    std::optional<study::Scan> scan;
    study::Study study;
    std::unique_ptr<UppasdFiles> uppasd_files;
    world.together([&] {
      if (world.size() > 1) io::require_no_pipe(file, "name a file that each rank can read");
      scan.emplace(study::Scan::read(file, changes, folder));
      study = scan->study(0);
      if (!scan->is_scan()) refuse_points_at_once(options);
      if (!uppasd_output) return;
      if (scan->is_scan())
        throw InputError("--uppasd-output is for one run, and the study is a scan",
                         "leave the option out");
      uppasd_files = std::make_unique<UppasdFiles>(file, options.output, options.force);
      UppasdFiles::note_in(options.provenance, file, options.force);
    });
    if (world.is_root())
      for (const std::string& note : scan->notes()) options.on_note(visible(note));
    if (scan->is_scan()) return study::run_scan(*scan, options);
    const std::string left = options.force ? study::note_of_left_points(options.output) : "";
    study::RunOutcome outcome = study::run_study(study, options);
    add_note(outcome.note, left);
    if (uppasd_files && outcome.completed && world.is_root()) uppasd_files->write(outcome);
    return outcome;
  }
};

struct Resume final : StudyCommand {
  Resume()
      : StudyCommand("resume", "Continue an interrupted run",
                     "Examples:\n"
                     "  larmor resume study.h5                      on the same kind of machine\n"
                     "  larmor resume study.h5 --change-arithmetic  on any other machine\n") {}

  void add_options(CLI::App& app) override {
    app.add_option("results", options.output, "results file of the run")->required();
    add_run_options(app);
    app.add_flag("--change-arithmetic", options.changes_arithmetic,
                 "allow the run to continue with another backend, precision, GPU or instruction "
                 "set. Results then differ by rounding from those of an uninterrupted run");
    app.add_flag("--from-start", options.from_start,
                 "begin the study anew if its checkpoint is lost or damaged. In a scan, begin "
                 "unfinished points anew if their folder is lost or damaged. This deletes the "
                 "stored results of the study or of these points");
  }

  study::RunOutcome run_on(const Communicator& world) override {
    bool scans = false;
    std::unique_ptr<UppasdFiles> uppasd_files;
    world.together([&] {
      scans = study::holds_scan(options.output);
      if (scans) return;
      refuse_points_at_once(options);
      uppasd_files = UppasdFiles::of_results(options.output);
    });
    if (scans) return study::resume_scan(options);
    study::RunOutcome outcome = study::resume_study(options);
    if (uppasd_files && outcome.completed && world.is_root()) uppasd_files->write(outcome);
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }
std::unique_ptr<Command> make_resume() { return std::make_unique<Resume>(); }

}  // namespace larmor::cli
