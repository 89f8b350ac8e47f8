#pragma once
// Copies some of a matrix's numbers at each site to another matrix.

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Every `step`-th number from `first` on.
struct MatrixSlice {
  Index first = 0, step = 1, count = 0;
};

/// Returns without waiting for a GPU. @param matrix (site, number), on the device
/// @param to (site, width), overwritten by the slice, then zeros
void take_slice(const Device& device, const double* matrix, Index sites, Index numbers,
                const MatrixSlice& slice, Index width, double* to);

namespace detail {

LARMOR_HD inline double number_of_slice(const double* matrix, Index numbers,
                                        const MatrixSlice& slice, Index site, Index n) {
  return n < slice.count ? matrix[site * numbers + slice.first + n * slice.step] : 0.0;
}

#if defined(LARMOR_HAS_CUDA)
void take_slice_on_gpu(const Device& device, const double* matrix, Index sites, Index numbers,
                       const MatrixSlice& slice, Index width, double* to);
#endif

}  // namespace detail

}  // namespace larmor::correlations::real_space
