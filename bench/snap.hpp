#pragma once
// larmor bench snap: its results, table and file.

#include <string>
#include <utility>
#include <vector>

#include "bench/compared_methods.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

/// Largest allowed error of forces, in eV/Angstrom. The benchmark fails if an error is larger.
inline constexpr double largest_snap_error = 1e-10;

struct SnapSystemMeasured {
  int twojmax = 0;
  Index atoms = 0;
  double neighbours = 0;  ///< mean number of neighbours of an atom
  double flops = 0;       ///< fewest known operations for an atom and step
  double floor_rate = 0;  ///< flop/s of this machine, measured together with the methods
  /// Times of the forces on all atoms, in seconds per atom. The error of a method is in
  /// eV/Angstrom. It is the largest error of any component of the forces on some of the atoms.
  std::vector<MethodMeasured> methods;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< name and reason

  /// Upper limit of the rate of a method that needs `flops` operations, in atoms and steps a
  /// second.
  double floor() const { return floor_rate / flops; }
};

struct SnapMeasured {
  std::string device, potential, floor;  ///< floor: the measurement of its rate
  std::vector<SnapSystemMeasured> systems;
};

void print_snap_heading(const SnapMeasured& measured);
void print_snap_system(const SnapSystemMeasured& system);
/// @throws MachineError if the file cannot be written
void write_snap(const SnapMeasured& measured, const std::string& path);
/// @throws InternalError if a method is too far from the reference
void require_snap_forces(const SnapSystemMeasured& system);

}  // namespace larmor::bench
