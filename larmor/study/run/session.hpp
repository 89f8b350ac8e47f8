#pragma once
// One run of a study in progress: the stages, the results, the checkpoints.

#include <memory>
#include <optional>
#include <vector>

#include "larmor/io/results/checkpoint.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/run.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {

class Session {
 public:
  /// @param results nothing on ranks that are not the root
  Session(const Study& study, const RunOptions& options, const Ranks& ranks,
          std::optional<io::ResultsFile> results);

  /// First of all, on all ranks. @throws MachineError where they have unlike devices, or those
  /// that share the lattice cannot
  void connect();
  /// The state as the study wants it; study, provenance and model into the results.
  void begin();
  /// Goes on from the checkpoint, or from the start where there is none.
  void take_up();
  /// Then, on all ranks. @throws MachineError where they have not come to the same place
  void require_together() const;
  /// Stages until the end, or until a stop is asked for.
  RunOutcome run();

 private:
  void write_beginning();
  void warn();
  void write_end();
  /// This run among those of the study.
  void begin_leg();
  void add_note(const std::string& words);
  void begin_anew();
  /// Without a checkpoint. @param problem why @throws InputError if stages have stored something
  void require_leave_to_begin_anew(const io::ResultsReader& stored, const std::string& problem);
  void restore(const io::CheckpointReader& reader);
  void run_stage(class Progress& progress, RunOutcome& outcome);
  /// What all ranks do before the next portion: stop, or first write a checkpoint.
  bool agree(bool checkpoint_is_due);
  void save_checkpoint();
  io::CheckpointHeader checkpoint_header() const;
  /// A checkpoint without blocks, of the beginning, unless there is a checkpoint already. So stages
  /// that have stored something without one have lost it.
  void write_first_checkpoint();
  void write_checkpoint(const io::Blocks& system, const StageMemory& memory);
  /// Of stages that do not end on convergence.
  double known_updates() const;
  Simulation simulation() { return {study_, *system_, ranks_}; }
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
  bool begins_ = false;       ///< does this run begin the study, or go on with it?
  double stage_seconds_ = 0;  ///< wall time of the current stage, earlier runs included
  std::uint64_t run_ = 0;     ///< identifier of the run, in its results and its checkpoints
  std::string leg_;           ///< this run's place in the provenance
  bool has_checkpoint_ = false;
  std::string note_;       ///< for the user, about the checkpoint taken
  double work_done_ = 0;   ///< updates, earlier runs included
  double known_done_ = 0;  ///< of these, by stages whose updates were known beforehand
  double stage_work_ = 0;  ///< of these, by the current stage
  int stop_signal_ = 0;    ///< that ranks have agreed to stop for; 0: none
};

}  // namespace larmor::study
