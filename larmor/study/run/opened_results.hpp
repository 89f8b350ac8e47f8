#pragma once
// The results files of a run: a new one, or one to go on with.

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/run/run.hpp"

namespace larmor::study {

/// The file of a new run. Nothing is written yet.
/// @throws InputError if the output exists and may not be replaced, or has checkpoints of another
/// run
io::ResultsFile create_results(const RunOptions& options);

/// The study of a run that has not ended. Sets the options with which the run goes on: its device
/// and its arithmetic.
/// @throws InputError if the file is not a results file, or is complete
Study study_to_resume(RunOptions& options);

/// The file of a run that goes on. @throws InputError if its checkpoint belongs to another run
io::ResultsFile open_results(const RunOptions& options);

}  // namespace larmor::study
