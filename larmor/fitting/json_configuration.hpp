#pragma once
// A configuration in FitSNAP's JSON format: {"Dataset": {"Data": [{"Positions": .., "AtomTypes":
// .., "Lattice": .., "Energy": .., "Forces": .., "Stress": ..}]}}, after an optional line of
// comment. Units: eV, Angstrom, bar (positive under compression).

#include "larmor/fitting/training_set.hpp"

namespace larmor::fitting {

/// @throws InputError with file and line for text that is not JSON, for missing or malformed
/// values, and for units other than these; MachineError if the file cannot be read
Configuration read_json_configuration(const std::string& path);

}  // namespace larmor::fitting
