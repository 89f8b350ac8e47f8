#pragma once
// Number of operations in SNAP.

#include "bench/snap_system.hpp"

namespace larmor::bench {

/// Additions, subtractions and multiplications for the forces on an atom, by the fewest known
/// operations (products shared by all j, generators). They are counted during a run of the common
/// code. The count omits operations from a displacement to its rotation.
double least_snap_flops(const atoms::snap::SnapPotential& potential, int neighbours);

}  // namespace larmor::bench
