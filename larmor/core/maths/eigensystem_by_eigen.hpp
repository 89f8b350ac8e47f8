#pragma once
// The common code of real and Hermitian eigensystems, which are compiled separately since each
// takes seconds.

#include <Eigen/Eigenvalues>

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor {

template <class Matrix>
Eigensystem<Matrix> eigensystem_of(const Matrix& matrix, int options) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix, options);
  Eigensystem<Matrix> found;
  found.values = solver.eigenvalues();
  if (options == Eigen::ComputeEigenvectors) found.vectors = solver.eigenvectors();
  found.converged = solver.info() == Eigen::Success;
  return found;
}

}  // namespace larmor
