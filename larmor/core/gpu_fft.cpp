#include "larmor/core/gpu_fft.hpp"

#if defined(LARMOR_HAS_CUDA)

#include <algorithm>
#include <type_traits>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/gpu_profile.hpp"

namespace larmor::cuda {
namespace {

template <class Real>
constexpr bool wide = std::is_same_v<Real, double>;

template <class Real>
CufftKind kind_of(bool forward) {
  if (forward) return wide<Real> ? CufftKind::double_to_complex : CufftKind::real_to_complex;
  return wide<Real> ? CufftKind::complex_to_double : CufftKind::complex_to_real;
}

}  // namespace

template <class Real>
GpuFft<Real>::Plan::Plan(const Device& device, const FftGrid& grid, Index fields, bool forward) {
  const CufftLibrary& cufft = cufft_library();
  check_cufft(cufft.create(&plan), "making a plan");
  // Directions of one cell need no transform; x, along which rows are halved, stays.
  std::vector<long long> size, real, half;
  for (const std::size_t d : {2, 1, 0}) {
    if (d != 0 && grid.size[d] == 1) continue;
    size.push_back(grid.size[d]);
    real.push_back(d == 0 ? grid.row_stride() : grid.size[d]);
    half.push_back(d == 0 ? grid.half() : grid.size[d]);
  }
  const long long points[] = {grid.field_stride(), grid.half_points()};
  std::vector<long long>&in = forward ? real : half, &out = forward ? half : real;
  try {
    check_cufft(cufft.set_auto_allocation(plan, 0), "making a plan");
    check_cufft(cufft.make_plan(plan, static_cast<int>(size.size()), size.data(), in.data(), 1,
                                points[forward ? 0 : 1], out.data(), 1, points[forward ? 1 : 0],
                                static_cast<int>(kind_of<Real>(forward)), fields, &work_bytes),
                "making a plan");
    check_cufft(cufft.set_stream(plan, stream(device.ordinal)), "choosing a stream");
  } catch (...) {
    cufft.destroy(plan);
    throw;
  }
}

template <class Real>
GpuFft<Real>::GpuFft(const Device& device, const FftGrid& grid, Index fields)
    : ordinal_(device.ordinal),
      forward_(device, grid, fields, true),
      backward_(device, grid, fields, false),
      work_(device, static_cast<Index>(std::max(forward_.work_bytes, backward_.work_bytes))) {
  for (const Plan* plan : {&forward_, &backward_})
    check_cufft(cufft_library().set_work_area(plan->plan, work_.data()), "giving it memory");
}

template <class Real>
void GpuFft<Real>::forward(Real* fields) const {
  const CufftLibrary& cufft = cufft_library();
  const auto execute = wide<Real> ? cufft.double_to_complex : cufft.real_to_complex;
  const LaunchRegion region(ordinal_, "Fourier transform");
  check_cufft(execute(forward_.plan, fields, fields), "transforming");
}

template <class Real>
void GpuFft<Real>::backward(Real* fields) const {
  const CufftLibrary& cufft = cufft_library();
  const auto execute = wide<Real> ? cufft.complex_to_double : cufft.complex_to_real;
  const LaunchRegion region(ordinal_, "Fourier transform back");
  check_cufft(execute(backward_.plan, fields, fields), "transforming back");
}

template class GpuFft<double>;
template class GpuFft<float>;

}  // namespace larmor::cuda

#endif
