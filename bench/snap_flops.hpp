#pragma once
// How many operations SNAP takes.

#include "bench/snap_system.hpp"

namespace larmor::bench {

/// Additions, subtractions and multiplications for the forces on an atom with so many neighbours by
/// the fewest operations known here (products shared by all j, generators), counted while the code
/// that every machine runs is run; but for those from a displacement to its rotation.
double least_snap_flops(const atoms::snap::SnapPotential& potential, int neighbours);

}  // namespace larmor::bench
