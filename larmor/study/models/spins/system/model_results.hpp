#pragma once
// Writes the group /model of the results.

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

void write_model(const Study& study, const SpinSystem& system, io::ResultsFile& results);

}  // namespace larmor::study
