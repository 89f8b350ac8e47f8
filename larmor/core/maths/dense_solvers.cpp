#include <Eigen/LU>
#include <Eigen/QR>

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor {

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& matrix) {
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

double determinant(const Eigen::MatrixXd& matrix) { return matrix.determinant(); }

Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix) { return matrix.inverse(); }

}  // namespace larmor
