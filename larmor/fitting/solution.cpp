#include "larmor/fitting/solution.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::fitting {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A is singular to working precision if its condition number exceeds this one.
constexpr double largest_condition = 1e14;

std::vector<double> as_vector(const Eigen::MatrixXd& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

/// R and z of [R | z]. If there are fewer rows than columns, R has rows of zeros.
struct Problem {
  Eigen::MatrixXd R;
  Eigen::VectorXd z;
  double rest = 0;  ///< the part of |A x - b|^2 that no x changes

  explicit Problem(const Triangle& triangle) {
    const Index columns = triangle.columns - 1;
    const Eigen::Map<const RowMajor> all(triangle.numbers.data(), triangle.rows(),
                                         triangle.columns);
    const Index rows = std::min(columns, triangle.rows());
    R = Eigen::MatrixXd::Zero(columns, columns);
    z = Eigen::VectorXd::Zero(columns);
    R.topRows(rows) = all.topLeftCorner(rows, columns);
    z.head(rows) = all.col(columns).head(rows);
    if (triangle.rows() > columns) rest = std::pow(all(columns, columns), 2);
  }
};

/// Lengths of the columns; 1 for a column of zeros.
Eigen::VectorXd lengths_of(const Eigen::MatrixXd& A) {
  Eigen::VectorXd length = A.colwise().norm();
  for (double& each : length)
    if (each == 0) each = 1;
  return length;
}

double condition_of(const Eigen::VectorXd& values) {
  const double least = values.minCoeff();
  return least > 0 ? values.maxCoeff() / least : std::numeric_limits<double>::infinity();
}

/// The variance of a row of weight 1.
double variance_of(double residual, Index rows, Index rank) {
  return rows > rank ? residual / static_cast<double>(rows - rank)
                     : std::numeric_limits<double>::quiet_NaN();
}

[[noreturn]] void refuse_dependent(Index rank, Index columns, const SourcePosition& where) {
  throw InputError(
      "the training set does not determine all coefficients: " + std::to_string(columns) +
          " columns have the rank " + std::to_string(rank),
      where,
      "add configurations, or choose method svd (shortest solution) or ridge; with chemflag, some "
      "components are always equal");
}

/// [R | z] with the rows of the penalty alpha |x|^2.
Triangle with_penalty(const Triangle& problem, double alpha) {
  const Index columns = problem.columns - 1;
  Triangle penalty{problem.columns, {}, 0};
  penalty.numbers.assign(static_cast<std::size_t>(columns * problem.columns), 0);
  for (Index n = 0; n < columns; ++n)
    penalty.numbers[static_cast<std::size_t>(n * problem.columns + n)] = 1;
  return joined(
      std::array{WeightedTriangle{&problem, 1}, WeightedTriangle{&penalty, std::sqrt(alpha)}});
}

Eigen::MatrixXd inverse_of_triangle(const Eigen::MatrixXd& R) {
  return R.triangularView<Eigen::Upper>().solve(
      Eigen::MatrixXd(Eigen::MatrixXd::Identity(R.rows(), R.cols())));
}

}  // namespace

double residual_of(const Triangle& problem, std::span<const double> x) {
  const Index columns = problem.columns - 1;
  const Eigen::Map<const RowMajor> all(problem.numbers.data(), problem.rows(), problem.columns);
  const Eigen::Map<const Eigen::VectorXd> at(x.data(), columns);
  return (all.leftCols(columns) * at - all.col(columns)).squaredNorm();
}

Solution solve(const Triangle& triangle, const Solver& solver) {
  const bool is_ridge = solver.method == Method::ridge;
  const Triangle penalised = is_ridge ? with_penalty(triangle, solver.alpha) : triangle;
  const Problem problem(penalised);
  const Index columns = problem.R.cols();
  const Eigen::VectorXd length = lengths_of(problem.R);
  const Eigen::MatrixXd scaled = problem.R * length.cwiseInverse().asDiagonal();
  const SingularValues of_scaled = singular_values(scaled, false);
  Solution found;
  found.scaled_condition = condition_of(of_scaled.values);
  const SingularValues all = singular_values(problem.R, solver.method == Method::svd);
  found.condition = condition_of(all.values);
  Eigen::VectorXd x;
  Eigen::MatrixXd root;  // root root^T is the covariance for rows of variance 1
  if (solver.method == Method::svd) {
    const double least = solver.cut * all.values.maxCoeff();
    found.rank = (all.values.array() > least).count();
    Eigen::VectorXd inverse = Eigen::VectorXd::Zero(columns);
    for (Index n = 0; n < found.rank; ++n) inverse[n] = 1 / all.values[n];
    root = all.right * inverse.asDiagonal();
    x = root * (all.left.transpose() * problem.z);
  } else {
    const double least = of_scaled.values.maxCoeff() / largest_condition;
    found.rank = (of_scaled.values.array() > least).count();
    if (found.rank < columns) refuse_dependent(found.rank, columns, solver.where);
    const Eigen::VectorXd of_scaled_columns =
        scaled.triangularView<Eigen::Upper>().solve(problem.z);
    x = of_scaled_columns.cwiseQuotient(length);
    root = length.cwiseInverse().asDiagonal() * inverse_of_triangle(scaled);
  }
  found.x = as_vector(x);
  found.residual = residual_of(triangle, found.x);
  const double variance = variance_of(found.residual, triangle.rows_reduced, found.rank);
  found.covariance = as_vector(variance * root * root.transpose());
  return found;
}

NormalEquations::NormalEquations(Index columns) : columns_(columns) {}

void NormalEquations::append(std::vector<double> rows) { blocks_.push_back(std::move(rows)); }

Solution NormalEquations::solve(const Solver& solver, int threads) const {
  constexpr Index parts = 64;
  constexpr int refinements = 3;
  const auto rows_of = [&](std::size_t n) {
    const std::vector<double>& block = blocks_[n];
    return Eigen::Map<const RowMajor>(block.data(), std::ssize(block) / (columns_ + 1),
                                      columns_ + 1);
  };
  // BITS: part p adds the blocks p, p + parts, ..; the parts are added in their order.
  const auto summed = [&](const Eigen::MatrixXd& zero, const auto& of_block) {
    std::vector<Eigen::MatrixXd> partial(static_cast<std::size_t>(parts), zero);
    parallel_for(threads, parts, [&](Index part) {
      for (auto n = static_cast<std::size_t>(part); n < blocks_.size(); n += parts)
        partial[static_cast<std::size_t>(part)] += of_block(rows_of(n));
    });
    Eigen::MatrixXd sum = zero;
    for (const Eigen::MatrixXd& each : partial) sum += each;
    return sum;
  };
  Index rows = 0;
  for (std::size_t n = 0; n < blocks_.size(); ++n) rows += rows_of(n).rows();

  const Eigen::MatrixXd gram =
      summed(Eigen::MatrixXd::Zero(columns_, columns_), [&](const auto& block) -> Eigen::MatrixXd {
        return block.leftCols(columns_).transpose() * block.leftCols(columns_);
      });
  Eigen::VectorXd length = gram.diagonal().cwiseSqrt();
  for (double& each : length)
    if (each == 0) each = 1;
  const Eigen::VectorXd inverse_length = length.cwiseInverse();
  const Eigen::MatrixXd scaled_gram =
      inverse_length.asDiagonal() * gram * inverse_length.asDiagonal();
  const Eigensystem<Eigen::MatrixXd> system = eigensystem(scaled_gram);
  Solution found;
  const double largest = system.values.maxCoeff();
  found.rank = (system.values.array() >
                largest * static_cast<double>(columns_) * std::numeric_limits<double>::epsilon())
                   .count();
  if (found.rank < columns_) refuse_dependent(found.rank, columns_, solver.where);
  found.scaled_condition = std::sqrt(condition_of(system.values));
  found.condition = std::sqrt(condition_of(eigensystem(gram).values.cwiseMax(0.0)));
  const Eigen::MatrixXd root = inverse_length.asDiagonal() * system.vectors *
                               system.values.cwiseSqrt().cwiseInverse().asDiagonal();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(columns_);
  for (int n = 0; n <= refinements; ++n) {
    const Eigen::MatrixXd slope =
        summed(Eigen::MatrixXd::Zero(columns_, 1), [&](const auto& block) -> Eigen::MatrixXd {
          const Eigen::VectorXd rest = block.col(columns_) - block.leftCols(columns_) * x;
          return block.leftCols(columns_).transpose() * rest;
        });
    x += root * (root.transpose() * slope.col(0));
  }
  const Eigen::MatrixXd squares =
      summed(Eigen::MatrixXd::Zero(1, 1), [&](const auto& block) -> Eigen::MatrixXd {
        return Eigen::MatrixXd::Constant(
            1, 1, (block.leftCols(columns_) * x - block.col(columns_)).squaredNorm());
      });
  found.x = as_vector(x);
  found.residual = squares(0, 0);
  found.covariance =
      as_vector(variance_of(found.residual, rows, columns_) * root * root.transpose());
  return found;
}

}  // namespace larmor::fitting
