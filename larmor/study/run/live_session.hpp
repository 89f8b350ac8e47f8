#pragma once
// A study that another program runs: chunk by chunk, with access to the state between chunks. BITS:
// results do not depend on the chunks.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "larmor/study/model_kind/live_arrays.hpp"
#include "larmor/study/run/session.hpp"

namespace larmor::study {

/// The work of one call of LiveSession::run.
struct Chunk {
  Index steps = 0;  ///< time steps or sweeps; 0 in stages that count none
  double updates = 0;
  bool was_stopped = false;  ///< has the caller stopped it?
};

/// If an exception leaves a function, only the destructor and functions that read may follow.
class LiveSession {
 public:
  /// Begins a study. @param options an empty output: results are dropped at the end
  /// @throws as run_study
  LiveSession(const Study& study, const RunOptions& options);
  /// Goes on from the checkpoint of a run. @throws as resume_study
  explicit LiveSession(const RunOptions& options);
  /// Writes no checkpoint: call `close` before.
  ~LiveSession();

  /// Runs blocks of the current stage until `steps` or more are done, or until the stage ends. A
  /// stage that counts no steps runs one block, or all blocks for any_number_of_steps. The end of
  /// the last stage completes the results.
  /// @param wants_stop called between two blocks
  Chunk run(Index steps, const std::function<bool()>& wants_stop);
  /// Writes a checkpoint and all results so far.
  /// @throws InputError if there is no output, or if the study is complete
  void save();
  /// Ends the run. Writes a checkpoint, unless the study is complete, has no output or has failed.
  void close();

  bool is_open() const { return is_open_; }
  /// Are there results that stay?
  bool has_output() const { return folder_ == nullptr; }
  bool is_complete() const { return session_->stage() == nullptr; }
  /// The current stage, from 0; the last one if the study is complete.
  std::size_t stage_number() const;
  std::size_t stages() const { return session_->stages(); }
  std::string stage_kind() const { return session_->stage_at(stage_number()).kind(); }
  /// Nothing: the stage counts no steps.
  std::optional<StagePlace> place() const;
  /// From 0 to 1. Stages that end on convergence do not count.
  double fraction_done() const;
  /// The step of the system, a part of the keys of random numbers.
  std::uint64_t system_step() const { return session_->system().step; }
  const Study& study() const { return study_; }
  const RunOptions& options() const { return options_; }
  const Device& device() const { return session_->system().device; }
  /// Notes and warnings since the last call.
  std::vector<std::string> take_notes();

  std::vector<LiveArray> arrays() const;
  /// @throws InputError for a name that is not in `arrays`
  io::DataArray array(const std::string& name);
  /// The array in the memory of the engine. It changes with the state, and stays valid as long as
  /// this object. From now on, `run` waits for a GPU at its end. @throws InputError for an array
  /// that is not held
  MemoryView view(const std::string& name);
  std::vector<std::int32_t> order_of_views() const;
  /// Replaces an array that can be set. @param shape shape of `values`
  /// @throws InputError for other values than those of a state, and if the stage keeps numbers that
  /// depend on the state
  void set_array(const std::string& name, std::span<const double> values, const io::Shape& shape);

 private:
  struct TemporaryFolder;

  void require_open() const;
  /// Only a stage measures the energies of some systems.
  bool stage_measures_energies() const;
  const LiveArray& known_array(const std::string& name, const std::vector<LiveArray>& all) const;
  void start(std::optional<io::ResultsFile> results);

  std::unique_ptr<TemporaryFolder> folder_;  ///< null: there is an output
  std::vector<std::string> notes_;
  RunOptions options_;
  Study study_;
  Ranks ranks_;
  std::unique_ptr<Session> session_;
  bool is_open_ = false;
  bool has_views_ = false;
};

}  // namespace larmor::study
