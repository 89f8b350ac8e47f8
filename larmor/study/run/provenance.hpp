#pragma once
// FORMAT: /provenance in the results: which programs ran a study, when and where. A run that is
// interrupted and resumed has several legs, each a group /provenance/legs/NN with its attributes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"

namespace larmor::study {

/// Writes the attributes that all legs share. @param more further attributes
/// @return the identifier of the run, a random number that no other run has
std::uint64_t begin_provenance(io::ResultsFile& results, std::uint64_t seed,
                               const io::Attributes& more);

/// The identifier of the run that wrote the results. @throws InputError if the results hold none
std::uint64_t run_of(const io::ResultsReader& results);
/// The identifier of the results that will be replaced. @return nothing if no results can be read
std::optional<std::uint64_t> replaced_run(const std::string& output);

/// Writes the leg that begins now: version, commit, build, command, start, and the caller's
/// attributes. @return its group
std::string begin_leg(io::ResultsFile& results, const std::string& command,
                      const io::Attributes& more);
/// Writes the present time as the end of the leg so far.
void mark_leg(io::ResultsFile& results, const std::string& leg);

/// Marks the study, and with it this leg, as complete.
void finish_provenance(io::ResultsFile& results, const std::string& leg);

/// The legs in order. If a file is older than legs, there is one leg, of its program.
std::vector<io::Attributes> legs_of(const io::ResultsReader& results);

}  // namespace larmor::study
