#pragma once
// Restart files of UppASD: a header of lines that begin with #, then rows
//
//   iteration ensemble atom |m| ex ey ez
//
// Atoms have the order of the sites, without vacancies.

#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::io {

/// Does the file begin as restart files do? @throws InputError for a missing file; MachineError if
/// it cannot be read
bool is_uppasd_restart(const std::string& path);

/// The directions of each ensemble of a restart file, unit vectors [ensembles, spins].
/// @param spins number of atoms
/// @throws InputError for a missing or malformed file, another number of atoms, a direction of
/// length 0, or ensembles that are not in order; MachineError if the file cannot be read
std::vector<std::vector<Vec3<double>>> read_uppasd_restart(const std::string& path, Index spins);

}  // namespace larmor::io
