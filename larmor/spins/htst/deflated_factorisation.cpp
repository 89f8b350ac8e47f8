#include "larmor/spins/htst/deflated_factorisation.hpp"

#include <Eigen/Core>
#include <cmath>

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::spins {
namespace {

/// The coordinates along which the unit vectors W point.
struct Pins {
  std::vector<std::size_t> coordinate;
  double log_determinant = 0;  ///< log |det(Z^T W)|
};

/// Chooses W by Gaussian elimination. The largest number that remains in each mode is the pivot.
Pins find_pins(const std::vector<Mode>& modes) {
  std::vector<std::vector<double>> left;
  for (const Mode& mode : modes) left.push_back(mode.vector);
  Pins pins;
  for (std::size_t n = 0; n < left.size(); ++n) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < left[n].size(); ++i)
      if (std::abs(left[n][i]) > std::abs(left[n][largest])) largest = i;
    const double pivot = left[n][largest];
    pins.coordinate.push_back(largest);
    pins.log_determinant += std::log(std::abs(pivot));
    for (std::size_t m = n + 1; m < left.size(); ++m) {
      const double factor = left[m][largest] / pivot;
      for (std::size_t i = 0; i < left[m].size(); ++i) left[m][i] -= factor * left[n][i];
    }
  }
  return pins;
}

}  // namespace

DeflatedFactorisation::DeflatedFactorisation(SparseFactorisation& factorisation,
                                             const SparseMatrix& H, std::vector<Mode> left_out)
    : factorisation_(factorisation), left_out_(std::move(left_out)) {
  const double stiffness = mean_diagonal(H);
  const Pins pins = find_pins(left_out_);
  std::vector<double> pinned(static_cast<std::size_t>(H.size));
  for (const std::size_t coordinate : pins.coordinate) pinned[coordinate] += stiffness;
  factorisation.factorise(with_diagonal_added(H, pinned));
  const auto k = static_cast<Eigen::Index>(left_out_.size());
  Eigen::MatrixXd mixed = Eigen::MatrixXd::Identity(k, k);
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(k, k);
  for (Eigen::Index n = 0; n < k; ++n) {
    const Mode& mode = left_out_[static_cast<std::size_t>(n)];
    image_.push_back(factorisation.solve(mode.vector));
    values(n, n) = mode.value;
  }
  for (Eigen::Index n = 0; n < k; ++n)
    for (Eigen::Index m = 0; m < k; ++m)
      mixed(n, m) -= values(n, n) * scalar_product(left_out_[static_cast<std::size_t>(n)].vector,
                                                   image_[static_cast<std::size_t>(m)]);
  const double of_mixed = k == 0 ? 1 : determinant(mixed);
  log_determinant_ = factorisation.log_determinant() + std::log(std::abs(of_mixed)) -
                     static_cast<double>(k) * std::log(stiffness) - 2 * pins.log_determinant;
  const Eigen::MatrixXd mixing = inverse(mixed) * values;
  for (Eigen::Index n = 0; n < k; ++n)
    for (Eigen::Index m = 0; m < k; ++m) mixing_.push_back(mixing(n, m));
}

std::vector<double> DeflatedFactorisation::solve(std::vector<double> b) const {
  project_out(left_out_, b);
  std::vector<double> x = factorisation_.solve(std::move(b));
  const std::size_t k = left_out_.size();
  std::vector<double> along;
  for (const Mode& mode : left_out_) along.push_back(scalar_product(mode.vector, x));
  for (std::size_t n = 0; n < k; ++n) {
    double share = 0;
    for (std::size_t m = 0; m < k; ++m) share += mixing_[n * k + m] * along[m];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * image_[n][i];
  }
  project_out(left_out_, x);
  return x;
}

void project_out(const std::vector<Mode>& modes, std::vector<double>& v) {
  for (const Mode& mode : modes) {
    const double along = scalar_product(mode.vector, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= along * mode.vector[i];
  }
}

}  // namespace larmor::spins
