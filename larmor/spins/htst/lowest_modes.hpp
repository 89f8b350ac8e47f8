#pragma once
// The lowest eigenvalues and eigenvectors of a sparse symmetric matrix, by Lanczos iteration in
// blocks with the inverse of the matrix shifted (Grimes, Lewis, Simon, SIAM J. Matrix Anal. Appl.
// 15, 228 (1994)): eigenvalues beside the shift converge first, equal ones together. Host code.

#include <vector>

#include "larmor/spins/htst/sparse_factorisation.hpp"

namespace larmor::spins {

/// An eigenvalue and its eigenvector, of length 1.
struct Mode {
  double value;
  std::vector<double> vector;
};

/// All eigenvalues below the shift, `near` of the next ones, and up to `further` ones after them,
/// in rising order. The last are found to eight digits or so, the others to all; in a continuum,
/// where that would take long, they may be fewer.
/// @param H symmetric; @param inverse factorised H - shift
/// @throws UnphysicalError when they do not converge
std::vector<Mode> lowest_modes(const SparseMatrix& H, const SparseFactorisation& inverse,
                               double shift, Index near, Index further);

}  // namespace larmor::spins
