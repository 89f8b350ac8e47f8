#pragma once
// A square sparse matrix, row by row. Host code.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spins {

struct SparseMatrix {
  Index size = 0;
  std::vector<Index> start{0};       ///< begin of each row, and the end of the last [size + 1]
  std::vector<std::int32_t> column;  ///< ascending within a row
  std::vector<double> value;         ///< one for each entry

  Index entries() const { return static_cast<Index>(value.size()); }
};

/// A x
std::vector<double> product(const SparseMatrix& A, std::span<const double> x);

/// A + diagonal(d). Every row of A has an entry on the diagonal.
SparseMatrix with_diagonal_added(SparseMatrix A, std::span<const double> d);

/// A + s 1
SparseMatrix shifted(const SparseMatrix& A, double s);

/// Mean absolute value of the diagonal entries.
double mean_diagonal(const SparseMatrix& A);

double scalar_product(std::span<const double> a, std::span<const double> b);

double length(std::span<const double> v);

}  // namespace larmor::spins
