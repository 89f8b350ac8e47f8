#include "larmor/correlations/pairs/cpu/tile_product.hpp"

#include <cblas.h>

#include "larmor/core/maths/one_blas_thread.hpp"

namespace larmor::correlations::real_space {
namespace {

void product(CBLAS_TRANSPOSE of_b, Index rows, Index columns, Index depth, ConstMatrix a,
             ConstMatrix b, Matrix c) {
  const OneBlasThread one_thread;
  const auto size = [](Index n) { return static_cast<blasint>(n); };
  cblas_dgemm(CblasRowMajor, CblasNoTrans, of_b, size(rows), size(columns), size(depth), 1, a.data,
              size(a.stride), b.data, size(b.stride), 0, c.data, size(c.stride));
}

}  // namespace

void multiply_transposed(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b,
                         Matrix c) {
  product(CblasTrans, rows, columns, depth, a, b, c);
}

void multiply(Index rows, Index columns, Index depth, ConstMatrix a, ConstMatrix b, Matrix c) {
  product(CblasNoTrans, rows, columns, depth, a, b, c);
}

}  // namespace larmor::correlations::real_space
