#pragma once
// FORMAT: which programs ran a study, when and where: /provenance in its results. A run that is
// interrupted and resumed has several legs, each a group /provenance/legs/NN with its attributes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"

namespace larmor::study {

/// What all legs have in common. @param more attributes beside it
/// @return the identifier of the run, a random number that is no other run's
std::uint64_t begin_provenance(io::ResultsFile& results, std::uint64_t seed,
                               const io::Attributes& more);

/// The identifier of the run that wrote results. @throws InputError if they hold none
std::uint64_t run_of(const io::ResultsReader& results);
/// Reads that identifier before results are replaced. @return nothing if no results can be read
std::optional<std::uint64_t> replaced_run(const std::string& output);

/// The leg that begins now: version, commit, build, command, started, and what the caller knows.
/// @return its group
std::string begin_leg(io::ResultsFile& results, const std::string& command,
                      const io::Attributes& more);
/// The leg goes on, or ends, now.
void mark_leg(io::ResultsFile& results, const std::string& leg);

/// The study is complete, and with it this leg.
void finish_provenance(io::ResultsFile& results, const std::string& leg);

/// The legs in order; in a file from before there were legs, its one program.
std::vector<io::Attributes> legs_of(const io::ResultsReader& results);

}  // namespace larmor::study
