// Transforms on a GPU, compared with direct sums. Skips without a GPU.
// Rooms: core

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "larmor/core/gpu/gpu_fft.hpp"

namespace {

using namespace larmor;
using cuda::FftGrid;
using Complex = std::complex<double>;

constexpr Index field_count = 3;

/// Calls f(n) for every point n of a field, in the layout of the transforms.
template <class Real>
std::vector<Real> random_fields(const FftGrid& grid) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  std::vector<Real> fields(static_cast<std::size_t>(field_count * grid.field_stride()));
  for (Real& x : fields) x = static_cast<Real>(normal(generator));
  return fields;
}

template <class Visit>
void for_each_cell(Index nx, Index ny, Index nz, const Visit& visit) {
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) visit(x, y, z);
}

template <class Real>
double at(const std::vector<Real>& fields, const FftGrid& grid, Index field, Index x, Index y,
          Index z) {
  return static_cast<double>(fields[static_cast<std::size_t>(
      field * grid.field_stride() + (z * grid.size[1] + y) * grid.row_stride() + x)]);
}

template <class Real>
void check(const FftGrid& grid, double tolerance) {
  const auto [nx, ny, nz] = grid.size;
  const Device device = Device::cuda(0);
  const std::vector<Real> before = random_fields<Real>(grid);
  Array<Real> on_gpu(device, before);
  const cuda::GpuFft<Real> fft(device, grid, field_count, cuda::FftDirections::both);
  fft.forward(on_gpu.data());
  const std::vector<Real> spectrum = on_gpu.to_host();
  fft.backward(on_gpu.data());
  const std::vector<Real> after = on_gpu.to_host();
  const double scale = std::sqrt(static_cast<double>(grid.points()));
  double transform_error = 0, return_error = 0;
  for (Index field = 0; field < field_count; ++field) {
    for_each_cell(grid.half(), ny, nz, [&](Index kx, Index ky, Index kz) {
      Complex sum = 0;
      for_each_cell(nx, ny, nz, [&, nx = nx, ny = ny, nz = nz](Index x, Index y, Index z) {
        const double turns =
            double(kx * x) / double(nx) + double(ky * y) / double(ny) + double(kz * z) / double(nz);
        sum += at(before, grid, field, x, y, z) * std::polar(1.0, -2 * std::numbers::pi * turns);
      });
      const Complex found(at(spectrum, grid, field, 2 * kx, ky, kz),
                          at(spectrum, grid, field, 2 * kx + 1, ky, kz));
      transform_error = std::fmax(transform_error, std::abs(found - sum) / scale);
    });
    for_each_cell(nx, ny, nz, [&](Index x, Index y, Index z) {
      const double there = at(after, grid, field, x, y, z) / static_cast<double>(grid.points());
      return_error = std::fmax(return_error, std::abs(there - at(before, grid, field, x, y, z)));
    });
  }
  EXPECT_LT(transform_error, tolerance);
  EXPECT_LT(return_error, tolerance);
}

class FftOnGpu : public testing::TestWithParam<std::array<Index, 3>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(FftOnGpu, FieldsAreTransformedAndBack) {
  check<double>({GetParam()}, 1e-13);
  check<float>({GetParam()}, 1e-5);
}

using Size = std::array<Index, 3>;
INSTANTIATE_TEST_SUITE_P(Sizes, FftOnGpu,
                         testing::Values(Size{1, 1, 1}, Size{2, 1, 1}, Size{7, 1, 1}, Size{1, 5, 1},
                                         Size{1, 1, 6}, Size{1, 3, 4}, Size{6, 1, 5}, Size{5, 4, 1},
                                         Size{8, 8, 8}, Size{5, 7, 3}, Size{13, 11, 2},
                                         Size{1, 16, 1}));

}  // namespace
