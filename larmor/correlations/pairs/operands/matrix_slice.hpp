#pragma once
// Some of a matrix's numbers at each site, as a matrix of its own.

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Every `step`-th number from `first` on.
struct MatrixSlice {
  Index first = 0, step = 1, count = 0;
};

/// @param matrix (site, number), where the device has it @param to (site, width), written: the
/// slice and zeros behind it. On a GPU nothing is waited for.
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
