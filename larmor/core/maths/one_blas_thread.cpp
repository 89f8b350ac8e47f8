#include "larmor/core/maths/one_blas_thread.hpp"

#include <cblas.h>
#include <omp.h>

namespace larmor {

OneBlasThread::OneBlasThread() : threads_(omp_get_max_threads()) {
  // If OpenBLAS is built with OpenMP, it takes the number of threads from OpenMP. A call that sets
  // this number then changes it for OpenMP too. If OpenBLAS has its own threads, their number must
  // be set once.
  [[maybe_unused]] static const bool single = (openblas_set_num_threads(1), true);
  omp_set_num_threads(1);
}

OneBlasThread::~OneBlasThread() { omp_set_num_threads(threads_); }

}  // namespace larmor
