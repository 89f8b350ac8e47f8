#pragma once
// One run of a study in progress: the stages, the results, the checkpoints.

#include <memory>
#include <vector>

#include "larmor/io/checkpoint.hpp"
#include "larmor/io/results.hpp"
#include "larmor/study/memory_forecast.hpp"
#include "larmor/study/run.hpp"
#include "larmor/study/stages/stages.hpp"
#include "larmor/study/system.hpp"

namespace larmor::study {

class Session {
 public:
  Session(const Study& study, const RunOptions& options, io::ResultsFile results)
      : Session(study, options, std::move(results), geometry_that_fits(study, options.device)) {}

  /// Spins as the study wants them; study, provenance and model into the results.
  void begin();
  /// Goes on from the checkpoint, or from the start where there is none.
  void take_up();
  /// Stages until the end, or until a stop is asked for.
  RunOutcome run();

 private:
  Session(const Study& study, const RunOptions& options, io::ResultsFile results,
          lattice::Geometry geometry);
  void write_study();
  /// Every file that the study names, those of its stages too.
  std::vector<std::string> files_read() const;
  void write_provenance();
  void require_same_files() const;
  void restore(const io::CheckpointReader& reader);
  void run_stage(class Progress& progress, RunOutcome& outcome);
  bool stop_asked() const { return options_.stop != nullptr && *options_.stop != 0; }
  void save_checkpoint();
  double total_updates() const;
  double work_per_update() const;
  ResultsGroup stage_results() const;
  std::string stage_path(std::size_t stage) const;

  const Study& study_;
  RunOptions options_;
  mutable io::ResultsFile results_;
  SpinSystem system_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::size_t stage_ = 0;
  bool stage_begun_ = false;
  double stage_seconds_ = 0;  ///< wall time of the current stage, earlier runs included
  std::string note_;          ///< for the user, about the checkpoint taken
  double work_done_ = 0;      ///< spin updates, earlier runs included
};

}  // namespace larmor::study
