#include "larmor/spinwaves/normal_modes.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::spinwaves {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;
using RowMajor = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// If a growth is below this fraction of the bound, it is an effect of rounding.
constexpr double growth_resolved = 1e-7;

/// sigma_y M: replaces the two rows of each spin by (-i times the second, i times the first).
Matrix sigma_y_times(const Matrix& M) {
  const Complex i(0, 1);
  Matrix product(M.rows(), M.cols());
  for (Eigen::Index row = 0; row < M.rows(); row += 2) {
    product.row(row) = -i * M.row(row + 1);
    product.row(row + 1) = i * M.row(row);
  }
  return product;
}

std::vector<Eigen::Index> counted(Eigen::Index first, Eigen::Index count) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), first);
  return order;
}

/// Appends the columns of `vectors` in `order`.
void store_vectors(const Matrix& vectors, const std::vector<Eigen::Index>& order,
                   NormalModes& modes) {
  for (const Eigen::Index column : order)
    for (Eigen::Index row = 0; row < vectors.rows(); ++row)
      modes.vector.push_back(vectors(row, column));
}

/// The lower triangle L of D = L L^+; nothing if a squared pivot is below `least`.
std::optional<Matrix> cholesky(const Matrix& D, double least) {
  const Eigen::LLT<Matrix> decomposition(D);
  if (decomposition.info() != Eigen::Success) return std::nullopt;
  Matrix L = decomposition.matrixL();
  const double pivot = L.diagonal().real().minCoeff();
  if (!(pivot * pivot > least)) return std::nullopt;
  return L;
}

/// @param zero frequencies up to this value are set to 0
NormalModes colpa(const Matrix& L, double zero, bool with_vectors) {
  const Matrix turned = sigma_y_times(L);
  const Eigensystem<Matrix> solved = eigensystem(L.adjoint() * turned, with_vectors);
  if (!solved.converged)
    throw InternalError("spin waves: the Hermitian eigenvalue problem did not converge");
  const Eigen::VectorXd& W = solved.values;
  const Eigen::Index n = W.size() / 2;
  // Eigenvalues ascend, so the negative ones precede the positive ones.
  std::vector<Eigen::Index> order = counted(n, n);
  for (Eigen::Index m = n; m-- > 0;) order.push_back(m);
  NormalModes modes;
  for (const Eigen::Index m : order) modes.frequency.push_back(std::abs(W(m)) <= zero ? 0.0 : W(m));
  modes.growth.assign(modes.frequency.size(), 0.0);
  if (!with_vectors) return modes;
  Matrix xi = turned * solved.vectors;
  for (Eigen::Index m = 0; m < xi.cols(); ++m) xi.col(m) /= std::sqrt(std::abs(W(m)));
  store_vectors(xi, order, modes);
  return modes;
}

/// The order of the eigenvalues: first growing modes, then the other modes by xi^+ sigma_y xi from
/// large to small, then decaying modes. The first half has positive norm.
std::vector<Eigen::Index> of_positive_norm(const Eigen::VectorXcd& W, const Matrix& xi,
                                           double resolved) {
  const Matrix turned = sigma_y_times(xi);
  const auto norm = [&](Eigen::Index m) { return xi.col(m).dot(turned.col(m)).real(); };
  const auto rank = [&](Eigen::Index m) {
    if (W(m).imag() > resolved) return std::pair{1, W(m).imag()};
    if (W(m).imag() < -resolved) return std::pair{-1, W(m).imag()};
    return std::pair{0, norm(m)};
  };
  std::vector<Eigen::Index> order = counted(0, W.size());
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return rank(a) > rank(b); });
  return order;
}

NormalModes non_hermitian(const Matrix& D, double bound, bool with_vectors) {
  const Eigen::ComplexEigenSolver<Matrix> solver(sigma_y_times(D), true);
  if (solver.info() != Eigen::Success)
    throw InternalError("spin waves: the eigenvalue problem did not converge");
  const Eigen::VectorXcd& W = solver.eigenvalues();
  const double resolved = growth_resolved * bound;
  std::vector<Eigen::Index> order = of_positive_norm(W, solver.eigenvectors(), resolved);
  const auto half = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::sort(order.begin(), half,
            [&](Eigen::Index a, Eigen::Index b) { return W(a).real() < W(b).real(); });
  std::sort(half, order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return W(a).real() > W(b).real(); });
  NormalModes modes;
  modes.minimum = false;
  for (const Eigen::Index m : order) {
    modes.frequency.push_back(W(m).real());
    modes.growth.push_back(std::abs(W(m).imag()) > resolved ? W(m).imag() : 0.0);
  }
  if (with_vectors) store_vectors(solver.eigenvectors(), order, modes);
  return modes;
}

}  // namespace

NormalModes normal_modes(const std::vector<std::complex<double>>& D, Index n, double bound,
                         double rounding, bool with_vectors) {
  // Threads share the wave vectors. A matrix product on several threads would depend on the number
  // of threads.
  static const bool one_thread_a_product = (Eigen::setNbThreads(1), true);
  static_cast<void>(one_thread_a_product);
  Matrix M = Eigen::Map<const RowMajor>(D.data(), 2 * n, 2 * n);
  if (const auto L = cholesky(M, rounding)) return colpa(*L, 0, with_vectors);
  M.diagonal().array() += rounding;
  if (const auto L = cholesky(M, 0))
    return colpa(*L, std::sqrt(2 * rounding * bound), with_vectors);
  M.diagonal().array() -= rounding;
  return non_hermitian(M, bound, with_vectors);
}

}  // namespace larmor::spinwaves
