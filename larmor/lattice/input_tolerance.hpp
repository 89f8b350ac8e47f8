#pragma once
// What people write has three to six digits: a third is 0.333333, an axis of a cube 0.5774.

namespace larmor::lattice {

/// Lengths that differ by a smaller share are the same, as are directions that differ by a smaller
/// angle (radians) and wave vectors by a smaller part of a reciprocal-lattice vector.
inline constexpr double input_tolerance = 1e-3;

/// Distances of two shells that differ by a smaller share may have been meant as one: users are
/// told.
inline constexpr double doubtful_share = 1e-2;

}  // namespace larmor::lattice
