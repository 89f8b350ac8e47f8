#pragma once
// FORMAT: writes /reweighted of a results file: curves of every system, and of every draw of the
// bootstrap.

#include <string>
#include <vector>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/study/reweighting/reweighting.hpp"

namespace larmor::study {

/// The contents of a file of results.
struct Reweighting {
  SampleChoice choice;
  ReweightOptions options;
  std::string command;
};

/// Writes a new file.
/// @throws InputError if the file exists and is not to be replaced; MachineError if the file cannot
/// be written
void write_reweighted(const std::string& path, io::IfExists if_exists,
                      const Reweighting& reweighting, const Samples& samples,
                      const std::vector<SystemCurves>& curves);

/// "/reweighted/systems/01"
std::string reweighted_group(std::size_t system);

}  // namespace larmor::study
