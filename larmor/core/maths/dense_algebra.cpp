#include "larmor/core/maths/dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace larmor {
namespace {

template <class Matrix>
Eigensystem<Matrix> eigensystem_of(const Matrix& matrix, int options) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix, options);
  Eigensystem<Matrix> found;
  found.values = solver.eigenvalues();
  if (options == Eigen::ComputeEigenvectors) found.vectors = solver.eigenvectors();
  found.converged = solver.info() == Eigen::Success;
  return found;
}

}  // namespace

Eigensystem<Eigen::MatrixXd> eigensystem(const Eigen::MatrixXd& matrix) {
  return eigensystem_of(matrix, Eigen::ComputeEigenvectors);
}

Eigensystem<Eigen::Matrix3d> eigensystem(const Eigen::Matrix3d& matrix) {
  return eigensystem_of(matrix, Eigen::ComputeEigenvectors);
}

Eigensystem<Eigen::MatrixXd> eigensystem_of_tridiagonal(const Eigen::VectorXd& diagonal,
                                                        const Eigen::VectorXd& off_diagonal) {
  // Eigen finds small elements only in a matrix whose largest one is about 1.
  double largest = diagonal.cwiseAbs().maxCoeff();
  if (off_diagonal.size() > 0) largest = std::max(largest, off_diagonal.cwiseAbs().maxCoeff());
  const double scale = largest > 0 ? largest : 1;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal / scale, off_diagonal / scale);
  return {scale * solver.eigenvalues(), solver.eigenvectors(), solver.info() == Eigen::Success};
}

Eigensystem<Eigen::MatrixXcd> eigensystem(const Eigen::MatrixXcd& matrix, bool with_vectors) {
  return eigensystem_of(matrix, with_vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
}

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& matrix) {
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

Eigen::MatrixXd triangular_factor(Eigen::MatrixXd& A) {
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> decomposition(A);
  return A.topRows(A.cols()).triangularView<Eigen::Upper>();
}

SingularValues singular_values(const Eigen::MatrixXd& A, bool with_vectors) {
  const Eigen::BDCSVD<Eigen::MatrixXd> decomposition(
      A, with_vectors ? Eigen::ComputeThinU | Eigen::ComputeThinV : 0);
  SingularValues found{decomposition.singularValues(), {}, {}};
  if (!with_vectors) return found;
  found.left = decomposition.matrixU();
  found.right = decomposition.matrixV();
  return found;
}

double determinant(const Eigen::MatrixXd& matrix) { return matrix.determinant(); }

Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix) { return matrix.inverse(); }

}  // namespace larmor
