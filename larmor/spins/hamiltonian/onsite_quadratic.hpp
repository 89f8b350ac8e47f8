#pragma once
// A quadratic form of one spin as the on-site polynomial has it. Host code.

#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

/// - 1/2 e^T M e, M symmetric, as a polynomial in the projections on its axes.
std::vector<OnsiteCoupling> onsite_quadratic(const Mat3<double>& M);

}  // namespace larmor::spins
