#pragma once
// A quadratic form of one spin, written as an on-site polynomial. Host code.

#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

/// - 1/2 e^T M e, M symmetric, as a polynomial in the projections on the axes of M.
std::vector<OnsiteCoupling> onsite_quadratic(const Mat3<double>& M);

}  // namespace larmor::spins
