#pragma once
// larmor bench snap: what is measured, the table that is made of it, and its file.

#include <string>
#include <utility>
#include <vector>

#include "bench/method_measured.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

/// Forces that are further from the reference fail the benchmark; eV/Angstrom.
inline constexpr double largest_snap_error = 1e-10;

struct SnapSystemMeasured {
  int twojmax = 0;
  Index atoms = 0;
  double neighbours = 0;  ///< of an atom, in the mean
  double flops = 0;       ///< the fewest known of an atom and step
  double floor_rate = 0;  ///< flop/s that this machine has reached beside the methods
  /// Forces on all atoms once. Errors are the largest of a component on some atoms, eV/Angstrom;
  /// seconds are an atom's.
  std::vector<MethodMeasured> methods;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< name and why

  /// What no method can be faster than, if it takes so many operations: atoms and steps a second.
  double floor() const { return floor_rate / flops; }
};

struct SnapMeasured {
  std::string device, potential, floor;  ///< floor: how its rate is measured
  std::vector<SnapSystemMeasured> systems;
};

void print_snap_heading(const SnapMeasured& measured);
void print_snap_system(const SnapSystemMeasured& system);
/// @throws MachineError when the file cannot be written
void write_snap(const SnapMeasured& measured, const std::string& path);
/// @throws InternalError where a method is too far from the reference
void require_snap_forces(const SnapSystemMeasured& system);

}  // namespace larmor::bench
