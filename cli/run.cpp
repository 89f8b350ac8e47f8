// larmor run and larmor resume: run or continue a study or a scan.

#include <filesystem>
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/progress_choice.hpp"
#include "cli/shared/ranks.hpp"
#include "cli/shared/signals.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/study/scan/scan_results.hpp"
#include "larmor/study/scan/scan_run.hpp"

namespace larmor::cli {
namespace {

/// @param notes as from add_note
void tell_notes(ProgressMode mode, std::string notes) {
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

study::RunOptions options_of(const std::string& progress, const study::DeviceOverrides& device,
                             double checkpoint_every, int points_at_once,
                             const std::string& command) {
  study::RunOptions options;
  options.progress = progress_mode(progress);
  options.width = terminal_width();
  options.progress_stream = &std::cerr;
  options.tell = [mode = options.progress](const std::string& notes) { tell_notes(mode, notes); };
  options.device = device;
  options.checkpoint_every = checkpoint_every;
  options.points_at_once = points_at_once;
  options.command = command;
  options.stop = &catch_signals();
  return options;
}

void take_part(study::RunOptions& options, const Communicator& world) {
  options.world = &world;
  options.failed = [&world](const std::exception& error) { end_all_ranks(world, error); };
  options.device.rank_on_node = world.rank_on_node();
  options.device.ranks_on_node = world.size_on_node();
}

/// A study without [[scan]] tables has no points. @throws InputError
void refuse_points_at_once(const study::RunOptions& options) {
  if (options.points_at_once > 1)
    throw InputError("--points-at-once is for scans, and the study has no [[scan]] table",
                     "leave it out: replicas of a study always run concurrently");
}

/// Prints the outcome on the root. @return exit code
int report(const study::RunOutcome& outcome, const study::RunOptions& options,
           const Communicator& world) {
  const int code = outcome.completed ? 0 : 128 + outcome.signal;
  if (!world.is_root()) return code;
  if (!outcome.note.empty()) options.tell(outcome.note);
  // Flushed at once, because mpirun may end all ranks as soon as one has ended.
  std::cout << (outcome.completed ? "results: " : "stopped; go on with: larmor resume ")
            << (outcome.completed ? options.output : shell_word(options.output)) << std::endl;
  return code;
}

}  // namespace

int run(const std::string& file, const std::vector<std::string>& changes, const std::string& output,
        bool force, const std::string& progress, const study::DeviceOverrides& device,
        double checkpoint_every, int points_at_once, const std::string& command) {
  study::RunOptions options =
      options_of(progress, device, checkpoint_every, points_at_once, command);
  options.output = output.empty()
                       ? std::filesystem::path(file).filename().replace_extension(".h5").string()
                       : output;
  options.force = force;
  return on_all_ranks([&](const Communicator& world) {
    take_part(options, world);
    std::optional<study::Scan> scan;
    study::Study study;
    world.together([&] {
      if (world.size() > 1) io::require_no_pipe(file, "name a file: each rank reads it");
      scan.emplace(study::Scan::read(file, changes));
      study = scan->study(0);
      if (!scan->is_scan()) refuse_points_at_once(options);
    });
    if (scan->is_scan()) return report(study::run_scan(*scan, options), options, world);
    const std::string left = force ? study::note_of_left_points(options.output) : "";
    study::RunOutcome outcome = study::run_study(study, options);
    add_note(outcome.note, left);
    return report(outcome, options, world);
  });
}

int resume(const std::string& results, bool changes_arithmetic, bool from_start,
           const std::string& progress, const study::DeviceOverrides& device,
           double checkpoint_every, int points_at_once, const std::string& command) {
  study::RunOptions options =
      options_of(progress, device, checkpoint_every, points_at_once, command);
  options.changes_arithmetic = changes_arithmetic;
  options.from_start = from_start;
  options.output = results;
  return on_all_ranks([&](const Communicator& world) {
    take_part(options, world);
    bool scans = false;
    world.together([&] {
      scans = study::holds_scan(results);
      if (!scans) refuse_points_at_once(options);
    });
    return report(scans ? study::resume_scan(options) : study::resume_study(options), options,
                  world);
  });
}

}  // namespace larmor::cli
