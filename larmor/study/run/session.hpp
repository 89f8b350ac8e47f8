#pragma once
// Runs the stages of one study and writes its results and checkpoints.

#include <memory>
#include <optional>
#include <vector>

#include "larmor/io/results/checkpoint.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/run.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class Session {
 public:
  /// @param study, ranks outlive this
  /// @param results nothing on ranks other than the root
  Session(const Study& study, const RunOptions& options, const Ranks& ranks,
          std::optional<io::ResultsFile> results);
  ~Session();

  /// Call this first, on all ranks. @throws MachineError if their devices differ, or if ranks
  /// cannot share the lattice
  void connect();
  /// Sets the initial state of the study. Writes study, provenance and model to the results.
  void begin();
  /// In place of `begin`: goes on from the checkpoint, or from the start if there is none.
  void resume();
  /// Call this after `begin` or `resume`, on all ranks.
  /// @throws MachineError if ranks have different steps
  void require_equal_steps() const;
  /// Runs the stages until the end, or until a stop is requested. It is `start`, then `advance`
  /// until no block is left, then `end`.
  RunOutcome run();

  /// Call this once, before the first `advance`.
  void start();
  /// Runs the next block. After the last block of a stage, the stage is also finished. If the ranks
  /// have agreed to stop, no block is left.
  /// @param most_steps as in Simulation @return nothing if no block is left
  std::optional<StageProgress> advance(Index most_steps = any_number_of_steps);
  /// Prepares the current stage, if it has not begun.
  void prepare_stage();
  /// Notes in the results that the caller changed the state.
  void note_other_state();
  /// Call this if other work of the caller came before: its time is not that of the stage.
  void end_pause();
  /// Writes the end of a completed run, or else a checkpoint.
  RunOutcome end();

  /// Writes all results so far and a checkpoint. Call it between two blocks.
  void save_checkpoint();
  System& system() { return *system_; }
  const System& system() const { return *system_; }
  Simulation simulation() const { return {study_, *system_, ranks_, {options_.output, run_}}; }
  std::size_t stages() const { return stages_.size(); }
  /// Number of the current stage, from 0; `stages()` after the last one.
  std::size_t stage_number() const { return stage_; }
  /// Null after the last stage. The stage has begun if `has_begun_stage()`.
  const Stage* stage() const { return stage_ < stages_.size() ? stages_[stage_].get() : nullptr; }
  const Stage& stage_at(std::size_t number) const { return *stages_[number]; }
  bool has_begun_stage() const { return stage_begun_; }
  /// Updates so far, including those of earlier runs, among `known_updates()`. Stages that end on
  /// convergence do not count.
  double known_done() const { return known_done_; }
  /// Updates of stages with a fixed number of steps.
  double known_updates() const;

 private:
  struct Running;   // the state of `run` between two blocks
  struct StageRun;  // the state of a stage between two blocks

  void write_beginning();
  void warn();
  void write_end();
  /// Writes this run as a leg of the provenance.
  void begin_leg();
  void add_note(const std::string& words);
  void restart();
  /// Call this if there is no checkpoint. @param problem says why
  /// @throws InputError if stages have stored results, and the user has not given --from-start
  void require_permission_to_restart(const io::ResultsReader& stored, const std::string& problem);
  void restore(const io::CheckpointReader& reader);
  /// Calls work(). If work() throws, the progress stops, and `on_error` is called.
  template <class Work>
  auto reported(const Work& work);
  void begin_stage();
  StageProgress run_block(Index most_steps);
  void note_progress(const StageProgress& made);
  void end_stage();
  /// All ranks decide together, before the next block, whether to stop (`stop_signal_`).
  /// @return true if the ranks first write a checkpoint
  bool agree_with_ranks(bool checkpoint_is_due);
  io::CheckpointHeader checkpoint_header() const;
  /// Writes a checkpoint of the beginning, without blocks, unless one exists. So results of stages
  /// without any checkpoint mean that the checkpoint is lost.
  void write_first_checkpoint();
  void write_checkpoint(const io::Blocks& system, const StageMemory& memory);
  ResultsGroup stage_results() const;
  std::string stage_path(std::size_t stage) const;

  const Study& study_;
  RunOptions options_;
  const Ranks& ranks_;
  mutable std::optional<io::ResultsFile> results_;
  std::unique_ptr<System> system_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::size_t stage_ = 0;
  bool stage_begun_ = false;
  bool begins_ = false;       ///< does this run begin the study? false: it resumes the study
  double stage_seconds_ = 0;  ///< wall time of the current stage, including earlier runs
  std::uint64_t run_ = 0;     ///< identifier of the run, in its results and its checkpoints
  std::string leg_;           ///< group of this run in the provenance
  bool has_checkpoint_ = false;
  std::string note_;                     ///< note to the user about the checkpoint
  double work_done_ = 0;                 ///< updates, including earlier runs
  double known_done_ = 0;                ///< `work_done_` of stages with a fixed number of steps
  double stage_work_ = 0;                ///< `work_done_` of the current stage
  int stop_signal_ = 0;                  ///< signal for which ranks have agreed to stop; 0: none
  std::unique_ptr<Running> running_;     ///< null before `start`
  std::unique_ptr<StageRun> stage_run_;  ///< null between two stages
};

}  // namespace larmor::study
