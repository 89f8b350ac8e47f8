// Fourier transforms of the chosen library against sums term by term.
// Rooms: core

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "larmor/core/fft/fft_buffer.hpp"
#include "larmor/core/fft/plans.hpp"

namespace {

using namespace larmor;

using Complex = std::complex<double>;

/// Lengths with each kind of factor, a large prime number among them.
constexpr Index lengths[] = {1, 2, 3, 4, 5, 7, 8, 11, 12, 15, 30, 64, 101, 211};

Complex turned(double sign, Index k, Index m, Index n) {
  const double phase =
      sign * 2 * std::numbers::pi * static_cast<double>(k * m % n) / static_cast<double>(n);
  return {std::cos(phase), std::sin(phase)};
}

std::vector<double> random_numbers(Index count) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> numbers(-1, 1);
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& value : x) value = numbers(generator);
  return x;
}

Complex* as_complex(const FftBuffer& buffer) { return reinterpret_cast<Complex*>(buffer.data()); }

double tolerance(Index points) { return 1e-14 * static_cast<double>(points); }

void expect_sums_of_lines(Index n, Index fields, FftDirection direction) {
  const std::vector<double> x = random_numbers(2 * n * fields);
  const FftBuffer buffer(2 * n * fields);
  std::copy(x.begin(), x.end(), buffer.data());
  LineFft(n, fields, direction, FftMemory::aligned)(as_complex(buffer));
  for (Index k = 0; k < n; ++k)
    for (Index f = 0; f < fields; ++f) {
      Complex sum = 0;
      for (Index m = 0; m < n; ++m) {
        const auto at = static_cast<std::size_t>(2 * (m * fields + f));
        sum += Complex(x[at], x[at + 1]) *
               turned(direction == FftDirection::forward ? -1 : 1, k, m, n);
      }
      ASSERT_LT(std::abs(as_complex(buffer)[k * fields + f] - sum), tolerance(n))
          << n << " points, " << fields << " fields, k " << k << ", field " << f;
    }
}

TEST(LineFft, IsTheSumOverAllPoints) {
  for (const Index n : lengths)
    for (const Index fields : {1, 3, 8, 24})
      for (const auto direction : {FftDirection::forward, FftDirection::backward})
        expect_sums_of_lines(n, fields, direction);
}

TEST(LineFft, TransformsMemoryOfAnyAlignment) {
  const Index n = 15;
  std::vector<Complex> aligned(static_cast<std::size_t>(n)), shifted(aligned.size() + 1);
  for (Index m = 0; m < n; ++m)
    aligned[static_cast<std::size_t>(m)] =
        shifted[static_cast<std::size_t>(m + 1)] = {static_cast<double>(m * m), 1.0};
  const LineFft transform(n, 1, FftDirection::backward, FftMemory::any);
  transform(aligned.data());
  transform(shifted.data() + 1);
  for (std::size_t k = 0; k < aligned.size(); ++k)
    EXPECT_LT(std::abs(aligned[k] - shifted[k + 1]), 1e-11) << k;
}

TEST(PlaneFft, IsTheSumOverThePlane) {
  for (const Index rows : {1, 4, 5})
    for (const Index columns : lengths)
      for (const Index fields : {3, 24}) {
        const std::vector<double> x = random_numbers(rows * columns * fields);
        const FftBuffer real(std::ssize(x));
        const Index half = columns / 2 + 1;
        const FftBuffer spectrum(2 * rows * half * fields);
        std::copy(x.begin(), x.end(), real.data());
        PlaneFft(rows, columns, fields)(real.data(), as_complex(spectrum));
        // Three fields show that each has its own numbers.
        for (const Index f : {Index{0}, Index{1}, fields - 1})
          for (Index p = 0; p < rows; ++p)
            for (Index q = 0; q < half; ++q) {
              Complex sum = 0;
              for (Index r = 0; r < rows; ++r)
                for (Index c = 0; c < columns; ++c)
                  sum += x[static_cast<std::size_t>((r * columns + c) * fields + f)] *
                         turned(-1, p, r, rows) * turned(-1, q, c, columns);
              ASSERT_LT(std::abs(as_complex(spectrum)[(p * half + q) * fields + f] - sum),
                        tolerance(rows * columns))
                  << rows << " x " << columns << ", field " << f << ", " << p << " " << q;
            }
      }
}

TEST(GridFft, IsTheSumOverTheGridAndItsInverse) {
  for (const std::array<Index, 3> size :
       {std::array<Index, 3>{1, 1, 1}, {7, 1, 1}, {1, 5, 4}, {8, 6, 5}, {5, 16, 3}, {21, 2, 9}}) {
    const auto [nx, ny, nz] = size;
    const Index half = nx / 2 + 1, points = nx * ny * nz;
    const std::vector<double> x = random_numbers(points);
    const FftBuffer field(2 * half * ny * nz);
    for (Index row = 0; row < ny * nz; ++row)
      std::copy_n(x.begin() + row * nx, nx, field.data() + 2 * half * row);
    const GridFft transform(size);
    transform.forward(field.data());
    for (Index p = 0; p < nz; ++p)
      for (Index q = 0; q < ny; ++q)
        for (Index r = 0; r < half; ++r) {
          Complex sum = 0;
          for (Index n = 0; n < points; ++n)
            sum += x[static_cast<std::size_t>(n)] * turned(-1, r, n % nx, nx) *
                   turned(-1, q, n / nx % ny, ny) * turned(-1, p, n / (nx * ny), nz);
          ASSERT_LT(std::abs(as_complex(field)[(p * ny + q) * half + r] - sum), tolerance(points))
              << nx << " x " << ny << " x " << nz << ": " << r << " " << q << " " << p;
        }
    transform.backward(field.data());
    for (Index n = 0; n < points; ++n)
      ASSERT_NEAR(field.data()[n / nx * 2 * half + n % nx] / static_cast<double>(points),
                  x[static_cast<std::size_t>(n)], 1e-14);
  }
}

}  // namespace
