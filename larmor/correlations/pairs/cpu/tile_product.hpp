#pragma once
// Products of matrices in double by OpenBLAS, one thread each: callers bring the threads, any
// number at once. Rows are `stride` numbers apart, columns adjacent. BITS: they are of the shape
// and the processor alone.

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

/// c = a b^T. @param a (rows, depth) @param b (columns, depth) @param c (rows, columns), written
void multiply_transposed(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b,
                         Matrix c);

/// c = a b. @param a (rows, depth) @param b (depth, columns) @param c (rows, columns), written
void multiply(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b, Matrix c);

}  // namespace larmor::correlations::real_space
