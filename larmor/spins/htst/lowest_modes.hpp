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

/// Returns modes in ascending order of their eigenvalues: all modes below the shift, the next
/// `near` modes, and up to `further` modes above these. The last group has about eight digits, and
/// all modes before it full precision. In a continuum of eigenvalues, a search for the last group
/// would take long, so this group may have fewer modes.
/// @param H symmetric
/// @param inverse factorisation of H - shift
/// @throws UnphysicalError if the iteration does not converge
std::vector<Mode> lowest_modes(const SparseMatrix& H, const SparseFactorisation& inverse,
                               double shift, Index near, Index further);

}  // namespace larmor::spins
