#pragma once
// Numbers of a quantum stage for `larmor show` and scans.

#include <string>
#include <vector>

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// The numbers of datasets that have one number for each temperature of the stage. Datasets that
/// are missing, or that have several samples, are left out.
/// @param path group of the datasets @param stage group of the stage
std::vector<StageNumber> numbers_by_temperature(const io::ResultsReader& results,
                                                const std::string& stage, const std::string& path,
                                                const std::vector<std::string>& names);

}  // namespace larmor::study
