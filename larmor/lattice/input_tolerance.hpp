#pragma once
// Tolerances of input. Users write three to six digits: a third is 0.333333, a cube's axis 0.5774.

namespace larmor::lattice {

/// Two values within this tolerance are equal: lengths (relative), directions (radians) and wave
/// vectors (units of a reciprocal-lattice vector).
inline constexpr double input_tolerance = 1e-3;

/// Users are warned if the distances of two shells differ by less than this relative tolerance:
/// perhaps one shell was meant.
inline constexpr double doubtful_share = 1e-2;

}  // namespace larmor::lattice
