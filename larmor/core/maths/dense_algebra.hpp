#pragma once
// Decompositions of small dense matrices by Eigen. Each decomposition takes seconds to compile, so
// this file compiles it once for all sources.

#include <Eigen/Core>

namespace larmor {

/// Eigenvalues in ascending order, and eigenvectors of length one as columns.
template <class Matrix>
struct Eigensystem {
  Eigen::VectorXd values;
  Matrix vectors;
  bool converged = true;
};

/// Eigensystem of a symmetric matrix, of which only the lower triangle is read.
Eigensystem<Eigen::MatrixXd> eigensystem(const Eigen::MatrixXd& matrix);
Eigensystem<Eigen::Matrix3d> eigensystem(const Eigen::Matrix3d& matrix);
/// Eigensystem of a Hermitian matrix, of which only the lower triangle is read.
/// @param with_vectors if false, `vectors` stays empty
Eigensystem<Eigen::MatrixXcd> eigensystem(const Eigen::MatrixXcd& matrix, bool with_vectors);
/// @param off_diagonal the elements next to the diagonal, one fewer than on it
Eigensystem<Eigen::MatrixXd> eigensystem_of_tridiagonal(const Eigen::VectorXd& diagonal,
                                                        const Eigen::VectorXd& off_diagonal);

/// The Moore-Penrose pseudo-inverse.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& matrix);
/// The shortest x for which |A x - b| is least.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The upper triangle R of a decomposition A = Q R by Householder reflections. @param A is
/// overwritten; has at least as many rows as columns
Eigen::MatrixXd triangular_factor(Eigen::MatrixXd& A);

/// A = left diag(values) right^T, with values in descending order.
struct SingularValues {
  Eigen::VectorXd values;
  Eigen::MatrixXd left, right;  ///< empty if they were not requested
};
SingularValues singular_values(const Eigen::MatrixXd& A, bool with_vectors);

double determinant(const Eigen::MatrixXd& matrix);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix);

}  // namespace larmor
