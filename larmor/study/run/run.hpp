#pragma once
// Runs a study from its first stage to its last, resumably.

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
  bool force = false;  ///< replace an existing one
  ProgressMode progress = ProgressMode::plain;
  int width = 80;                           ///< of the terminal
  std::ostream* progress_stream = nullptr;  ///< null: quiet
  DeviceOverrides device;                   ///< instead of what the study says
  int points_at_once = 1;                   ///< of a scan, by threads of this process
  double checkpoint_every = 0;              ///< seconds, overrides the study where not 0
  std::string command;                      ///< kept in the results
  /// Set from a signal handler to stop at the next portion; null: never.
  const std::atomic<int>* stop = nullptr;
  /// The ranks that run the study together, all with the same options.
  const Communicator* world = nullptr;
  /// Of a run that is a part of another, which tells of lattices and Hamiltonians: the results
  /// that `larmor resume` goes on with. Empty: of none
  std::string whole;
  /// May a run that is resumed go on in another backend, precision, ..., to other bits?
  bool changes_arithmetic = false;
  /// May a run that is resumed begin anew where its checkpoint, or its folder of points, is lost?
  bool from_start = false;
  /// Of a run that is resumed, by `resume_study`.
  std::optional<Continuation> continuation;
  /// Attributes of /provenance beside those of every run.
  io::Attributes provenance;
  /// Called with the updates done so far, those of earlier runs included; null: nothing.
  std::function<void(double)> between_portions;
  /// Called with what the user should know while the study runs, that is no error; null: nothing.
  std::function<void(const std::string&)> tell;
  /// Called with what ends a run, before anything is given up: other ranks may not know of it, and
  /// memory of a GPU that waits for them cannot be freed. It may end the program. Null: nothing
  std::function<void(const std::exception&)> failed;

  const std::string& resumed_as() const { return whole.empty() ? output : whole; }
};

struct RunOutcome {
  bool completed = false;  ///< false: stopped, to be resumed
  double wall_seconds = 0;
  std::string note;    ///< what the user should know; empty: nothing
  double updates = 0;  ///< updates of this call
  int signal = 0;      ///< that stopped it, on whichever rank; 0: none
};

/// @throws InputError, MachineError, UnphysicalError; the last checkpoint stays intact. Of a study
/// that does not fit in memory nothing is written
RunOutcome run_study(const Study& study, const RunOptions& options);

/// Goes on from the checkpoint beside the results, or from the start where there is none yet.
/// @throws InputError when the file is no results file, is complete, does not fit its checkpoint,
///         has lost it, or would go on in another arithmetic without leave
RunOutcome resume_study(const RunOptions& options);

/// Where the checkpoint of a results file lies: results.h5 -> results.h5.ckpt.
std::string checkpoint_path(const std::string& results);

}  // namespace larmor::study
