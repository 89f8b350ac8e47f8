#pragma once
// Matrix products in double precision by OpenBLAS. Each call runs on one thread; threads may call
// concurrently. Rows are `stride` numbers apart, and columns are adjacent. BITS: results depend
// only on the shape and the processor.

#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

struct ConstMatrix {
  const double* data;
  Index stride;
};

struct Matrix {
  double* data;
  Index stride;
};

/// c = a b^T. @param a (rows, depth) @param b (columns, depth) @param c (rows, columns),
/// overwritten
void multiply_transposed(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b,
                         Matrix c);

/// c = a b. @param a (rows, depth) @param b (depth, columns) @param c (rows, columns), overwritten
void multiply(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b, Matrix c);

}  // namespace larmor::correlations::real_space
