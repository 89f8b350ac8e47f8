#pragma once
// Potentials in LAMMPS's include files (.snap, .mod): `pair_style snap`, or `hybrid/overlay` of
// snap and zbl, with their `pair_coeff` and variables.

#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/potentials/zbl/zbl.hpp"

namespace larmor::io {

struct LammpsPotential {
  std::string coefficients, parameters;  ///< paths of SNAP files
  std::vector<std::string> elements;     ///< element of each type

  struct Repulsion {
    double inner, outer;
    std::vector<atoms::Zbl::Nuclei> pairs;
  };
  std::optional<Repulsion> zbl;
};

/// The path of a file of a potential. The file is searched in `folder`, then in the folder that the
/// environment variable LAMMPS_POTENTIALS names. @throws InputError if the file is in neither
/// folder
std::string potential_file(const std::string& folder, const std::string& name);

/// Reads an include file. The files that it names are searched by `potential_file`, from the folder
/// of the include file.
/// @throws InputError with file, line and word for other pair styles and commands and for malformed
/// values; MachineError if the file cannot be read
LammpsPotential read_lammps_potential(const std::string& path);

}  // namespace larmor::io
