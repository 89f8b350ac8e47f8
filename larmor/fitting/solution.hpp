#pragma once
// The solution of the least-squares problem from its triangle.

#include <string>
#include <vector>

#include "larmor/fitting/reduction.hpp"
#include "larmor/fitting/settings.hpp"

namespace larmor::fitting {

struct Solution {
  std::vector<double> x;           ///< [columns]
  std::vector<double> covariance;  ///< of x [columns, columns]
  double residual = 0;             ///< |A x - b|^2 with weights
  double condition = 0;            ///< condition number of A with weights
  double scaled_condition = 0;     ///< with columns divided by their lengths
  Index rank = 0;                  ///< numerical rank of A
};

/// Solves the problem of a triangle [R | z].
/// @throws InputError, at the solver of the input, if the method needs independent columns, and
/// columns are not independent
Solution solve(const Triangle& problem, const Solver& solver);

/// |A x - b|^2 of the rows that the triangle stands for.
double residual_of(const Triangle& problem, std::span<const double> x);

/// The problem A^T A x = A^T b with x refined by residuals of the rows themselves.
class NormalEquations {
 public:
  explicit NormalEquations(Index columns);
  /// Keeps rows [A | b]. @param rows (row, columns + 1)
  void append(std::vector<double> rows);
  /// @throws InputError if A^T A is not positive definite in double precision
  Solution solve(const Solver& solver, int threads) const;

 private:
  Index columns_;
  std::vector<std::vector<double>> blocks_;
};

}  // namespace larmor::fitting
