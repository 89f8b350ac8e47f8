#pragma once
// Runs the points of a scan, each on one rank, and joins their results in one file.

#include <string>

#include "larmor/study/run/run.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

/// @throws InputError, MachineError, UnphysicalError; finished work of points stays resumable. If a
/// point cannot run, nothing is written
RunOutcome run_scan(const Scan& scan, const RunOptions& options);

/// Goes on with the points that are not done, each from its own checkpoint.
/// @throws InputError as resume_study
RunOutcome resume_scan(const RunOptions& options);

/// Are these the results of a scan? @throws InputError, MachineError if the results cannot be read
bool holds_scan(const std::string& results);

}  // namespace larmor::study
