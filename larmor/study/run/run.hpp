#pragma once
// Runs a study from its first stage to its last, and resumes it.

#include <atomic>
#include <exception>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/progress.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/run/arithmetic.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct RunOptions {
  std::string output;  ///< results file
  bool force = false;  ///< replace existing results
  ProgressMode progress = ProgressMode::plain;
  int width = 80;                           ///< columns of the terminal
  std::ostream* progress_stream = nullptr;  ///< null: no progress line
  DeviceOverrides device;                   ///< replaces the choices of the study
  int points_at_once = 1;                   ///< points of a scan at once, by threads of this
                                            ///< process
  double checkpoint_every = 0;  ///< seconds; replaces the interval of the study if not 0
  bool writes_checkpoints = true;
  std::string command;  ///< written to the results
  /// Set by a signal handler to stop before the next block of the run; null: never.
  const std::atomic<int>* stop = nullptr;
  /// The ranks that run the study together, all with the same options.
  const Communicator* world = nullptr;
  /// For a point of a scan: the results file of the scan, with which `larmor resume` goes on. The
  /// scan prints the advice on lattices and Hamiltonians. Empty: the run is not a point of a scan.
  std::string outer_results;
  /// May a resumed run go on with another backend, precision, ..., and so with other bits?
  bool changes_arithmetic = false;
  /// May a resumed run begin anew if its checkpoint, or its folder of points, is lost?
  bool from_start = false;
  /// Set by `resume_study` for a resumed run.
  std::optional<Continuation> continuation;
  /// Attributes of /provenance in addition to those of every run.
  io::Attributes provenance;
  /// Called with the updates so far, including those of earlier runs; null: no call.
  std::function<void(double)> between_blocks;
  /// Called with warnings and notes while the study runs; null: no call.
  std::function<void(const std::string&)> on_note;
  /// Called with the error that ends a run, before anything is freed; null: no call. Other ranks
  /// may not have seen the error, and memory of a GPU that waits for them cannot be freed. So the
  /// callback may end the program.
  std::function<void(const std::exception&)> on_error;

  const std::string& resume_path() const { return outer_results.empty() ? output : outer_results; }
};

struct RunOutcome {
  bool completed = false;  ///< false: stopped, can be resumed
  double wall_seconds = 0;
  std::string note;    ///< note for the user; empty: none
  double updates = 0;  ///< updates of this call only
  int signal = 0;      ///< signal that stopped the run, on any rank; 0: none
};

/// @throws InputError, MachineError, UnphysicalError; the last checkpoint stays intact. Nothing is
/// written for a study that does not fit in memory
RunOutcome run_study(const Study& study, const RunOptions& options);

/// Goes on from the checkpoint next to the results, or from the start if there is none yet.
/// @throws InputError if the file is not a results file, is complete, or does not fit its
/// checkpoint; if the checkpoint is lost; if the arithmetic would change without permission
RunOutcome resume_study(const RunOptions& options);

/// Path of the checkpoint of a results file: results.h5 -> results.h5.ckpt.
std::string checkpoint_path(const std::string& results);

}  // namespace larmor::study
