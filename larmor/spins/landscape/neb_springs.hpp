#pragma once
// The reparametrisation that moves images along a path to the balance of their springs.

#include "larmor/paths/springs.hpp"

namespace larmor::spins {

/// The next step of images towards the balance of their springs, in place of spring forces.
/// @param unfolds move images at folds to the midpoint of their neighbours?
/// @return numbers (ImageShift, padded replicas)
std::vector<double> reparametrisation(const paths::NebPath& path, double ratio, bool unfolds,
                                      std::size_t padded);

}  // namespace larmor::spins
