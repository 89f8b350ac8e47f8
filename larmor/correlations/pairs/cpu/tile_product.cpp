#include "larmor/correlations/pairs/cpu/tile_product.hpp"

#include <cblas.h>
#include <omp.h>

namespace larmor::correlations::real_space {
namespace {

void product(CBLAS_TRANSPOSE of_b, Index rows, Index columns, Index depth, ConstMatrix a,
             ConstMatrix b, Matrix c) {
  // If OpenBLAS is built with OpenMP, it takes the number of threads from OpenMP. A call that sets
  // this number then changes it for OpenMP too. If OpenBLAS has its own threads, their number must
  // be set once.
  const int threads = omp_get_max_threads();
  [[maybe_unused]] static const bool single = (openblas_set_num_threads(1), true);
  omp_set_num_threads(1);
  const auto size = [](Index n) { return static_cast<blasint>(n); };
  cblas_dgemm(CblasRowMajor, CblasNoTrans, of_b, size(rows), size(columns), size(depth), 1, a.data,
              size(a.stride), b.data, size(b.stride), 0, c.data, size(c.stride));
  omp_set_num_threads(threads);
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
