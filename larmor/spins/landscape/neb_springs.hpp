#pragma once
// Springs along a path: the positions of images where their springs balance, and the
// reparametrisation that moves images to these positions. Only ratios of stiffness matter.

#include "larmor/spins/landscape/neb_geometry.hpp"

namespace larmor::spins {

/// The way of each image along the path to the balance of its springs. It is computed to first
/// order, while all other images are fixed. It is 0 for both ends and the climbing image. [images]
/// @param ratio NebSettings::spring_ratio
std::vector<double> spring_displacements(const NebPath& path, double ratio);

/// Are the displacements of all images small compared with the distances between images?
bool springs_balance(const NebPath& path, double ratio);

/// The next step of images towards the balance of their springs, in place of spring forces.
/// @param unfolds move images at folds to the midpoint of their neighbours?
/// @return numbers (ImageShift, padded replicas)
std::vector<double> reparametrisation(const NebPath& path, double ratio, bool unfolds,
                                      std::size_t padded);

}  // namespace larmor::spins
