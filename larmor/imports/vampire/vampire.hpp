#pragma once
// Reads the files of Vampire: `input`, which names a material file (.mat) and often a unit-cell
// file (.ucf), or a unit-cell file only. `materials.hpp` has the Hamiltonian.
// Source: the manual of Vampire 6, and R. F. L. Evans et al., J. Phys. Condens. Matter 26, 103202
// (2014).

#include <string>

#include "larmor/imports/import.hpp"

namespace larmor::imports {

/// Is this a file of Vampire? It is if its name ends in .ucf or .mat, or if its first line is a
/// keyword. @throws MachineError if it cannot be read
bool is_vampire_input(const std::string& path);

/// The simulation as a study. A unit-cell file gives the couplings, and Larmor adds moments of 1
/// mu_B, a size and Monte Carlo.
/// @throws InputError for malformed lines, unknown keywords, and all that Larmor cannot do, and for
/// a material file, which has no crystal. MachineError if a file cannot be read
Import read_vampire(const std::string& path, const ImportOptions& options = {});

}  // namespace larmor::imports
