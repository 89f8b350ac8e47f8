#pragma once
// Springs along a path: the places of images where their springs balance, and the
// reparametrisation that moves images there. Only ratios of stiffness matter.

#include "larmor/spins/landscape/neb_geometry.hpp"

namespace larmor::spins {

/// Displacement of each image along the path from the balance of its springs, to first order with
/// the other images fixed; 0 for both ends and the climbing image. [images]
/// @param ratio NebSettings::spring_ratio
std::vector<double> spring_displacements(const NebPath& path, double ratio);

/// Are the springs in balance, compared with the distances between images?
bool springs_balance(const NebPath& path, double ratio);

/// The next step of images towards the balance of their springs, in place of spring forces.
/// @param unfolds move images at folds to the midpoint of their neighbours?
/// @return numbers (ImageShift, padded replicas)
std::vector<double> reparametrisation(const NebPath& path, double ratio, bool unfolds,
                                      std::size_t padded);

}  // namespace larmor::spins
