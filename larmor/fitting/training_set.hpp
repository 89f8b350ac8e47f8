#pragma once
// The configurations of a training set with their energies, forces and stresses.

#include <array>

#include "larmor/fitting/settings.hpp"
#include "larmor/io/structures/frame_types.hpp"

namespace larmor::fitting {

/// xx, yy, zz, xy, xz, yz, as atoms::SymmetricTensor.
using Stress = std::array<double, 6>;

struct Configuration {
  io::AtomFrame frame;
  std::size_t group = 0;
  Index number = 0;  ///< in its group, from 0
  bool is_test = false;
  std::optional<double> energy;      ///< total energy, eV
  std::vector<Vec3<double>> forces;  ///< eV/Angstrom [atoms], or empty
  std::optional<Stress> stress;      ///< unit and sign of the set
  std::array<double, kinds> weight{};

  Index atoms() const { return frame.atoms.atoms(); }
  bool has(Kind kind) const {
    if (kind == Kind::energy) return energy.has_value();
    return kind == Kind::force ? !forces.empty() : stress.has_value();
  }
};

/// Reads all groups, in order. Configurations of a group that neither train nor test are left out.
/// @throws InputError with file and line for a malformed file, a configuration that lacks a target
/// with a weight, or a group with too few configurations; MachineError if a file cannot be read
std::vector<Configuration> read_training_set(const Settings& settings);

/// Vectors in LAMMPS's orientation: the first vector of the box along x, the second in the plane of
/// x and y. @throws InputError for a left-handed box
void turn_to_lammps(Configuration& configuration);

}  // namespace larmor::fitting
