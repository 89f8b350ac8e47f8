// larmor run, larmor resume.

#include "larmor/study/run.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iostream>
#include <thread>

#include "cli/commands.hpp"
#include "larmor/core/communicator.hpp"
#include "larmor/core/progress.hpp"

namespace larmor::cli {
namespace {

std::atomic<int> caught_signal{0};

/// A second signal of the same kind ends the program at once.
void catch_signal(int signal) {
  caught_signal = signal;
  std::signal(signal, SIG_DFL);
}

ProgressMode progress_mode(const std::string& name) {
  if (name == "terminal") return ProgressMode::terminal;
  if (name == "plain") return ProgressMode::plain;
  if (name == "json") return ProgressMode::json;
  if (name == "quiet") return ProgressMode::quiet;
  return isatty(STDERR_FILENO) ? ProgressMode::terminal : ProgressMode::plain;
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

study::RunOptions options_of(const std::string& progress, const study::DeviceOverrides& device,
                             double checkpoint_every, const std::string& command) {
  std::signal(SIGINT, catch_signal);
  std::signal(SIGTERM, catch_signal);
  study::RunOptions options;
  options.progress = progress_mode(progress);
  options.width = terminal_width();
  options.progress_stream = &std::cerr;
  options.device = device;
  options.checkpoint_every = checkpoint_every;
  options.command = command;
  options.stop = &caught_signal;
  return options;
}

int report(const study::RunOutcome& outcome, const std::string& output) {
  if (!outcome.note.empty()) std::cerr << "note: " << outcome.note << "\n";
  if (outcome.completed) {
    std::cout << "results: " << output << "\n";
  } else {
    std::cout << "stopped; go on with: larmor resume " << output << "\n";
  }
  return outcome.completed ? 0 : 128 + outcome.signal;
}

/// `run` on all ranks that this process was started with; the root reports. A failure that the
/// other ranks do not know of ends them all, once its message is written.
int on_all_ranks(study::RunOptions& options,
                 const std::function<study::RunOutcome(const Communicator&)>& run) {
  const Communicator world = Communicator::world();
  options.world = &world;
  options.device.rank_on_node = world.rank_on_node();
  options.device.ranks_on_node = world.size_on_node();
  try {
    const study::RunOutcome outcome = run(world);
    if (world.is_root()) return report(outcome, options.output);
    return outcome.completed ? 0 : 128 + outcome.signal;
  } catch (const std::exception& error) {
    if (world.size() == 1) throw;
    // Of ranks that fail alike the root is the one to be heard.
    if (!world.failed_together() && !world.is_root())
      std::this_thread::sleep_for(std::chrono::seconds(1));
    const int code = explain_failure(error);
    if (world.failed_together()) {
      // The first rank that ends takes the others with it: after the message.
      world.maximum({0});
      return code;
    }
    std::cerr << "rank " << world.rank() << " of " << world.size() << " ends the run" << std::endl;
    world.abort(code);
    return code;
  }
}

}  // namespace

int run(const std::string& file, const std::string& output, bool force, const std::string& progress,
        const study::DeviceOverrides& device, double checkpoint_every, const std::string& command) {
  study::RunOptions options = options_of(progress, device, checkpoint_every, command);
  options.output = output.empty()
                       ? std::filesystem::path(file).filename().replace_extension(".h5").string()
                       : output;
  options.force = force;
  return on_all_ranks(options, [&](const Communicator& world) {
    study::Study study;
    world.together([&] { study = study::read_study(file); });
    return study::run_study(study, options);
  });
}

int resume(const std::string& results, const std::string& progress,
           const study::DeviceOverrides& device, double checkpoint_every,
           const std::string& command) {
  study::RunOptions options = options_of(progress, device, checkpoint_every, command);
  options.output = results;
  return on_all_ranks(options, [&](const Communicator&) { return study::resume_study(options); });
}

}  // namespace larmor::cli
