#pragma once
// FORMAT: /reweighted of a results file: curves of every system, and of every draw of the
// bootstrap.

#include <string>
#include <vector>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/study/reweighting/reweighting.hpp"

namespace larmor::study {

/// What a file of results is made from.
struct Reweighting {
  SampleChoice choice;
  ReweightOptions options;
  std::string command;
};

/// Writes a file of its own.
/// @throws InputError if it exists and is not to be replaced; MachineError if it cannot be written
void write_reweighted(const std::string& path, io::IfExists if_exists, const Reweighting& of,
                      const Samples& samples, const std::vector<SystemCurves>& curves);

/// "/reweighted/systems/01"
std::string reweighted_group(std::size_t system);

}  // namespace larmor::study
