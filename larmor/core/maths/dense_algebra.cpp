#include "larmor/core/maths/dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/one_blas_thread.hpp"

// LAPACK, a part of OpenBLAS: A = U S V^T by divide and conquer.
extern "C" void dgesdd_(const char* job, const int* rows, const int* columns, double* A,
                        const int* rows_of_A, double* values, double* U, const int* rows_of_U,
                        double* VT, const int* rows_of_VT, double* work, const int* size_of_work,
                        int* integers, int* info);

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
  const int rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols());
  const int rank = std::min(rows, columns);
  SingularValues found{Eigen::VectorXd::Constant(rank, std::nan("")), {}, {}};
  if (with_vectors) {
    found.left = Eigen::MatrixXd::Zero(rows, rank);
    found.right = Eigen::MatrixXd::Zero(columns, rank);
  }
  if (rank == 0 || !A.allFinite()) return found;
  Eigen::MatrixXd lost = A;
  Eigen::MatrixXd right(rank, columns);
  std::vector<int> integers(8 * static_cast<std::size_t>(rank));
  std::vector<double> work(1);
  const char job = with_vectors ? 'S' : 'N';
  const int leading = std::max(1, rank);
  const OneBlasThread one_thread;
  int info = 0;
  for (int size = -1;; size = static_cast<int>(work.size())) {
    dgesdd_(&job, &rows, &columns, lost.data(), &rows, found.values.data(), found.left.data(),
            &rows, right.data(), &leading, work.data(), &size, integers.data(), &info);
    if (size > 0 || info != 0) break;
    work.resize(static_cast<std::size_t>(work[0]));
  }
  if (info != 0) throw InternalError("dgesdd ended with " + std::to_string(info));
  if (with_vectors) found.right = right.transpose();
  return found;
}

double determinant(const Eigen::MatrixXd& matrix) { return matrix.determinant(); }

Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix) { return matrix.inverse(); }

}  // namespace larmor
