#include "larmor/core/gpu/gpu_fft.hpp"

#if defined(LARMOR_HAS_CUDA)

#include <algorithm>
#include <type_traits>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

template <class Real>
constexpr bool wide = std::is_same_v<Real, double>;

template <class Real>
CufftKind kind_of(bool forward) {
  if (forward) return wide<Real> ? CufftKind::double_to_complex : CufftKind::real_to_complex;
  return wide<Real> ? CufftKind::complex_to_double : CufftKind::complex_to_real;
}

/// @param forward from real numbers to half spectra
template <class Real>
GpuFftPlan::Shape shape_of(const FftGrid& grid, Index fields, bool forward) {
  GpuFftPlan::Side real{{}, 1, grid.field_stride()}, half{{}, 1, grid.half_points()};
  std::vector<long long> size;
  // An axis of one cell needs no transform. The axis x is always transformed, because rows are
  // halved along it.
  for (const std::size_t d : {2, 1, 0}) {
    if (d != 0 && grid.size[d] == 1) continue;
    size.push_back(grid.size[d]);
    real.embed.push_back(d == 0 ? grid.row_stride() : grid.size[d]);
    half.embed.push_back(d == 0 ? grid.half() : grid.size[d]);
  }
  return {std::move(size), forward ? real : half, forward ? half : real, kind_of<Real>(forward),
          fields};
}

}  // namespace

GpuFftPlan::GpuFftPlan(const Device& device, Shape shape) {
  const CufftLibrary& cufft = cufft_library();
  check_cufft(cufft.create(&plan_), "making a plan");
  try {
    check_cufft(cufft.set_auto_allocation(plan_, 0), "making a plan");
    check_cufft(cufft.make_plan(plan_, static_cast<int>(shape.size.size()), shape.size.data(),
                                shape.in.embed.data(), shape.in.stride, shape.in.distance,
                                shape.out.embed.data(), shape.out.stride, shape.out.distance,
                                static_cast<int>(shape.kind), shape.batch, &work_bytes_),
                "making a plan");
    check_cufft(cufft.set_stream(plan_, stream(device.ordinal)), "choosing a stream");
  } catch (...) {
    cufft.destroy(plan_);
    throw;
  }
}

void GpuFftPlan::set_work_memory(Array<std::byte>& memory) const {
  check_cufft(cufft_library().set_work_area(plan_, memory.data()), "giving a plan its memory");
}

template <class Real>
GpuFft<Real>::GpuFft(const Device& device, const FftGrid& grid, Index fields,
                     FftDirections directions)
    : ordinal_(device.ordinal), forward_(device, shape_of<Real>(grid, fields, true)) {
  Index bytes = forward_.work_bytes();
  if (directions == FftDirections::both) {
    backward_.emplace(device, shape_of<Real>(grid, fields, false));
    bytes = std::max(bytes, backward_->work_bytes());
  }
  work_ = Array<std::byte>(device, bytes);
  forward_.set_work_memory(work_);
  if (backward_) backward_->set_work_memory(work_);
}

template <class Real>
void GpuFft<Real>::forward(Real* fields) const {
  const CufftLibrary& cufft = cufft_library();
  const auto execute = wide<Real> ? cufft.double_to_complex : cufft.real_to_complex;
  const LaunchRegion region(ordinal_, "Fourier transform");
  check_cufft(execute(forward_.plan(), fields, fields), "transforming");
}

template <class Real>
void GpuFft<Real>::backward(Real* fields) const {
  if (!backward_)
    throw InternalError("an inverse transform was requested from a forward-only transform");
  const CufftLibrary& cufft = cufft_library();
  const auto execute = wide<Real> ? cufft.complex_to_double : cufft.complex_to_real;
  const LaunchRegion region(ordinal_, "Fourier transform back");
  check_cufft(execute(backward_->plan(), fields, fields), "transforming back");
}

GpuColumnFft::GpuColumnFft(const Device& device, Index size, Index columns)
    : ordinal_(device.ordinal),
      plan_(device,
            {{size}, {{size}, columns, 1}, {{size}, columns, 1}, CufftKind::wide_complex, columns}),
      work_(device, plan_.work_bytes()) {
  plan_.set_work_memory(work_);
}

void GpuColumnFft::forward(double* numbers) const {
  constexpr int forward = -1;
  const LaunchRegion region(ordinal_, "Fourier transform of columns");
  check_cufft(cufft_library().wide_complex(plan_.plan(), numbers, numbers, forward),
              "transforming columns");
}

template class GpuFft<double>;
template class GpuFft<float>;

}  // namespace larmor::cuda

#endif
