#pragma once
// The lowest eigenvalues and eigenvectors of a sparse symmetric matrix, by block Lanczos iteration
// with the inverse of the shifted matrix (Grimes, Lewis, Simon, SIAM J. Matrix Anal. Appl. 15, 228
// (1994)). Eigenvalues near the shift converge first, equal eigenvalues together. Host code.

#include <vector>

#include "larmor/spins/htst/sparse_factorisation.hpp"

namespace larmor::spins {

/// An eigenvalue and its eigenvector, of length 1.
struct Mode {
  double value;
  std::vector<double> vector;
};

/// All eigenvalues below the shift, the next `near` eigenvalues, and up to `further` ones after
/// them, in ascending order. The `further` ones have about eight digits, all others full precision.
/// In a continuum the search for the `further` ones would take long, so there may be fewer.
/// @param H symmetric
/// @param inverse factorised H - shift
/// @throws UnphysicalError if the iteration does not converge
std::vector<Mode> lowest_modes(const SparseMatrix& H, const SparseFactorisation& inverse,
                               double shift, Index near, Index further);

}  // namespace larmor::spins
