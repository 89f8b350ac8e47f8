#pragma once
// FORMAT: the study in its results file: the group /study, and whether it is complete.

#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// The head of a results file, not completed yet.
void write_head(io::ResultsFile& results, const Study& study);

/// Every file that a study names, those of its stages too.
std::vector<std::string> files_read(const Study& study);
/// Their paths and checksums, if there are any.
void write_files_read(io::ResultsFile& results, const std::vector<std::string>& files);
/// @throws InputError if one has changed since `results` were begun
void require_same_files(const std::vector<std::string>& files, const std::string& results);

/// @throws InputError where there is nothing to resume
void require_not_completed(const io::ResultsReader& results, const std::string& path);
/// The last changes to a results file: it is complete.
/// @param leg of the provenance that ends
void write_completed(io::ResultsFile& results, const std::string& leg);

}  // namespace larmor::study
