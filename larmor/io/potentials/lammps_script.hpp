#pragma once
// Potentials as LAMMPS's include files (.snap, .mod) have them: `pair_style snap`, or
// `hybrid/overlay` of snap and zbl, with their `pair_coeff` and variables.

#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/potentials/zbl/zbl.hpp"

namespace larmor::io {

struct LammpsPotential {
  std::string coefficients, parameters;  ///< paths of the files of SNAP
  std::vector<std::string> elements;     ///< of the types, in their order

  struct Repulsion {
    double inner, outer;
    std::vector<atoms::Zbl::Nuclei> pairs;
  };
  std::optional<Repulsion> zbl;
};

/// The path of a file of a potential: in the folder, else in that which the environment variable
/// LAMMPS_POTENTIALS names. @throws InputError where it is in neither
std::string potential_file(const std::string& folder, const std::string& name);

/// Files that it names are found by `potential_file`, from its own folder.
/// @throws InputError naming file, line and word for other pair styles and commands and for
/// whatever is malformed; MachineError if it cannot be read
LammpsPotential read_lammps_potential(const std::string& path);

}  // namespace larmor::io
