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

/// The path of a file of a potential. It is searched in the folder, then in the folder that the
/// environment variable LAMMPS_POTENTIALS names. @throws InputError if it is in neither
std::string potential_file(const std::string& folder, const std::string& name);

/// Files that the script names are searched by `potential_file`, from the folder of the script.
/// @throws InputError with file, line and word for other pair styles and commands and for malformed
/// values; MachineError if it cannot be read
LammpsPotential read_lammps_potential(const std::string& path);

}  // namespace larmor::io
