#pragma once
// Springs along a path: the positions of images where their springs balance. Only ratios of
// stiffness matter. With a ratio above 1, springs are stiffer at higher energies (Asgeirsson et
// al., J. Chem. Theory Comput. 17 (2021) 4929).

#include "larmor/paths/geometry.hpp"

namespace larmor::paths {

/// The way of each image along the path to the balance of its springs. It is computed to first
/// order, while all other images are fixed. It is 0 for both ends and the climbing image. [images]
/// @param ratio stiffness of springs next to the highest image relative to those at the ends
std::vector<double> spring_displacements(const NebPath& path, double ratio);

/// Are the displacements of all images small compared with the distances between images?
bool springs_balance(const NebPath& path, double ratio);

}  // namespace larmor::paths
