#include "larmor/spins/htst/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::spins {
namespace {

/// Index of the diagonal entry of a row.
std::size_t diagonal_entry(const SparseMatrix& A, Index row) {
  const auto at = static_cast<std::size_t>(row);
  const auto begin = A.column.begin() + A.start[at], end = A.column.begin() + A.start[at + 1];
  return static_cast<std::size_t>(std::lower_bound(begin, end, static_cast<std::int32_t>(row)) -
                                  A.column.begin());
}

}  // namespace

std::vector<double> product(const SparseMatrix& A, std::span<const double> x) {
  std::vector<double> y(static_cast<std::size_t>(A.size));
  for (std::size_t row = 0; row < y.size(); ++row) {
    double sum = 0;
    for (auto n = static_cast<std::size_t>(A.start[row]);
         n < static_cast<std::size_t>(A.start[row + 1]); ++n)
      sum += A.value[n] * x[static_cast<std::size_t>(A.column[n])];
    y[row] = sum;
  }
  return y;
}

SparseMatrix with_diagonal_added(SparseMatrix A, std::span<const double> d) {
  for (Index row = 0; row < A.size; ++row)
    A.value[diagonal_entry(A, row)] += d[static_cast<std::size_t>(row)];
  return A;
}

SparseMatrix shifted(const SparseMatrix& A, double s) {
  return with_diagonal_added(A, std::vector<double>(static_cast<std::size_t>(A.size), s));
}

double mean_diagonal(const SparseMatrix& A) {
  double sum = 0;
  for (Index row = 0; row < A.size; ++row) sum += std::abs(A.value[diagonal_entry(A, row)]);
  return sum / static_cast<double>(A.size);
}

double scalar_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double length(std::span<const double> v) { return std::sqrt(scalar_product(v, v)); }

}  // namespace larmor::spins
