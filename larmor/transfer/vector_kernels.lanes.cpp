#include "larmor/transfer/vector_kernels.hpp"

#include <algorithm>

#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::transfer {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

double product(const double* a, const double* b, Index count) {
  double partial[sum_width]{};
  for (Index first = 0; first < count; first += sum_width) {
    const Index width = std::min<Index>(sum_width, count - first);
    for (Index t = 0; t < width; ++t) partial[t] += a[first + t] * b[first + t];
  }
  return tree_sum(std::min<Index>(sum_width, count), [&](Index t) { return partial[t]; });
}

void subtract(double* w, double c, const double* v, Index count) {
  for (Index i = 0; i < count; ++i) w[i] -= c * v[i];
}

void scale(double* w, double factor, Index count) {
  for (Index i = 0; i < count; ++i) w[i] *= factor;
}

}  // namespace

const VectorKernels vector_kernels_table{product, subtract, scale};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::transfer
