#pragma once
// FitSNAP's input files: sections with lines `key = value`, and `#` before comments
// (https://fitsnap.github.io/Run/Run_Input.html). Each key is obeyed, is listed as without effect,
// or is refused.

#include "larmor/fitting/settings.hpp"

namespace larmor::fitting {

/// @param data folder of the groups, instead of dataPath; empty: dataPath
/// @throws InputError, MachineError for the errors of read_settings
Settings read_fitsnap_input(const std::string& path, const std::string& data);

}  // namespace larmor::fitting
