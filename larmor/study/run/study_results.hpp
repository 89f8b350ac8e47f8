#pragma once
// FORMAT: writes the study to its results file: the group /study, and whether it is complete.

#include <string>
#include <vector>

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// Writes the head of a results file that is not complete yet.
void write_head(io::ResultsFile& results, const Study& study);

/// All files that a study names, including those of its stages.
std::vector<std::string> files_read(const Study& study);
/// Writes paths and checksums of the files, if there are any files.
void write_files_read(io::ResultsFile& results, const std::vector<std::string>& files);
/// @throws InputError if a file has changed since `results` were begun
void require_same_files(const std::vector<std::string>& files, const std::string& results);

/// @throws InputError if there is nothing to resume
void require_not_completed(const io::ResultsReader& results, const std::string& path);
/// Marks a results file as complete.
/// @param leg last group of the provenance
void write_completed(io::ResultsFile& results, const std::string& leg);

}  // namespace larmor::study
