#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/eigensystem_by_eigen.hpp"

namespace larmor {

Eigensystem<Eigen::MatrixXd> eigensystem(const Eigen::MatrixXd& matrix) {
  return eigensystem_of(matrix, Eigen::ComputeEigenvectors);
}

Eigensystem<Eigen::Matrix3d> eigensystem(const Eigen::Matrix3d& matrix) {
  return eigensystem_of(matrix, Eigen::ComputeEigenvectors);
}

Eigensystem<Eigen::MatrixXd> eigensystem_of_tridiagonal(const Eigen::VectorXd& diagonal,
                                                        const Eigen::VectorXd& beside) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  return {solver.eigenvalues(), solver.eigenvectors(), solver.info() == Eigen::Success};
}

}  // namespace larmor
