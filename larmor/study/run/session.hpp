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
  /// @param results nothing on ranks other than the root
  Session(const Study& study, const RunOptions& options, const Ranks& ranks,
          std::optional<io::ResultsFile> results);

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
  /// Runs the stages until the end, or until a stop is requested.
  RunOutcome run();

 private:
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
  void run_stage(class Progress& progress, RunOutcome& outcome);
  /// All ranks decide together, before the next block, whether to stop (`stop_signal_`).
  /// @return true if the ranks first write a checkpoint
  bool agree_with_ranks(bool checkpoint_is_due);
  void save_checkpoint();
  io::CheckpointHeader checkpoint_header() const;
  /// Writes a checkpoint of the beginning, without blocks, unless one exists. So results of stages
  /// without any checkpoint mean that the checkpoint is lost.
  void write_first_checkpoint();
  void write_checkpoint(const io::Blocks& system, const StageMemory& memory);
  /// Updates of stages with a fixed number of steps.
  double known_updates() const;
  Simulation simulation() { return {study_, *system_, ranks_, {options_.output, run_}}; }
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
  std::string note_;       ///< note to the user about the checkpoint
  double work_done_ = 0;   ///< updates, including earlier runs
  double known_done_ = 0;  ///< `work_done_` of stages with a fixed number of steps
  double stage_work_ = 0;  ///< `work_done_` of the current stage
  int stop_signal_ = 0;    ///< signal for which ranks have agreed to stop; 0: none
};

}  // namespace larmor::study
