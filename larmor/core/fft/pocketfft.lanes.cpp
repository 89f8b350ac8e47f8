// Plans of pocketfft for one instruction set. A vector holds the same number of several lines.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "larmor/core/fft/line_transforms.hpp"

// The name of the set becomes a part of pocketfft's namespace, so that the linker never mixes
// functions of two sets.
#define POCKETFFT_NO_MULTITHREADING
#define pocketfft LARMOR_CONCATENATE(pocketfft_, LARMOR_ISA_NAMESPACE)
#include <pocketfft_hdronly.h>

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

constexpr Index width = pocketfft::detail::VLEN<double>::val;
typedef double Numbers __attribute__((vector_size(8 * width)));
typedef Index Places __attribute__((vector_size(8 * width)));
using ComplexNumbers = pocketfft::detail::cmplx<Numbers>;

template <class Number>
using Memory = pocketfft::detail::arr<Number>;

std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }

Numbers load(const double* from) {
  Numbers x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}

void store(double* to, Numbers x) { std::memcpy(to, &x, sizeof(x)); }

/// Places first, first + step, ... in two vectors that follow each other.
Places places(Index first, Index step) {
  Places p{};
  for (Index lane = 0; lane < width; ++lane) p[lane] = first + step * lane;
  return p;
}

/// Reads `width` pairs of real and imaginary parts.
ComplexNumbers load_pairs(const double* from) {
  const Numbers low = load(from), high = load(from + width);
  return {__builtin_shuffle(low, high, places(0, 2)), __builtin_shuffle(low, high, places(1, 2))};
}

void store_pairs(double* to, const ComplexNumbers& z) {
  Places low{}, high{};
  for (Index lane = 0; lane < width; ++lane) {
    low[lane] = lane / 2 + lane % 2 * width;
    high[lane] = (lane + width) / 2 + (lane + width) % 2 * width;
  }
  store(to, __builtin_shuffle(z.r, z.i, low));
  store(to + width, __builtin_shuffle(z.r, z.i, high));
}

/// Reads one number of each of `count` lines.
Numbers gather(const double* from, Index step, Index count) {
  if (step == 1 && count == width) return load(from);
  Numbers x{};
  for (Index lane = 0; lane < count; ++lane) x[lane] = from[lane * step];
  return x;
}

void scatter(double* to, Index step, Index count, Numbers x) {
  if (step == 1 && count == width) return store(to, x);
  for (Index lane = 0; lane < count; ++lane) to[lane * step] = x[lane];
}

class Complex final : public ComplexLines {
 public:
  explicit Complex(Index n) : n_(n), plan_(size_of(n)) {}

  void transform(double* x, Index stride, Index lines, bool forward) const override {
    Memory<ComplexNumbers> numbers(size_of(n_));
    ComplexNumbers* const z = numbers.data();
    for (Index first = 0; first < lines; first += width) {
      const Index count = std::min(width, lines - first);
      double* const group = x + 2 * first;
      for (Index i = 0; i < n_; ++i) {
        const double* from = group + 2 * i * stride;
        z[i] = count == width ? load_pairs(from)
                              : ComplexNumbers{gather(from, 2, count), gather(from + 1, 2, count)};
      }
      plan_.exec(z, 1.0, forward);
      for (Index i = 0; i < n_; ++i) {
        double* to = group + 2 * i * stride;
        if (count == width) {
          store_pairs(to, z[i]);
        } else {
          scatter(to, 2, count, z[i].r);
          scatter(to + 1, 2, count, z[i].i);
        }
      }
    }
  }

 private:
  Index n_;
  pocketfft::detail::pocketfft_c<double> plan_;
};

/// pocketfft's half spectra have the order re_0, re_1, im_1, re_2, im_2, ..., without the imaginary
/// parts that are zero.
class Real final : public RealLines {
 public:
  explicit Real(Index n) : n_(n), plan_(size_of(n)) {}

  void forward(const double* real, LineSteps real_steps, double* spectrum, LineSteps spectrum_steps,
               Index lines) const override {
    Memory<Numbers> numbers(size_of(n_));
    Numbers* const x = numbers.data();
    for (Index first = 0; first < lines; first += width) {
      const Index count = std::min(width, lines - first);
      const double* from = real + first * real_steps.line;
      for (Index i = 0; i < n_; ++i)
        x[i] = gather(from + i * real_steps.number, real_steps.line, count);
      plan_.exec(x, 1.0, true);
      double* to = spectrum + first * spectrum_steps.line;
      for (Index k = 0; k <= n_ / 2; ++k, to += spectrum_steps.number) {
        scatter(to, spectrum_steps.line, count, x[k == 0 ? 0 : 2 * k - 1]);
        scatter(to + 1, spectrum_steps.line, count, k == 0 || 2 * k == n_ ? Numbers{} : x[2 * k]);
      }
    }
  }

  void backward(const double* spectrum, LineSteps spectrum_steps, double* real,
                LineSteps real_steps, Index lines) const override {
    Memory<Numbers> numbers(size_of(n_));
    Numbers* const x = numbers.data();
    for (Index first = 0; first < lines; first += width) {
      const Index count = std::min(width, lines - first);
      const double* from = spectrum + first * spectrum_steps.line;
      for (Index k = 0; k <= n_ / 2; ++k, from += spectrum_steps.number) {
        x[k == 0 ? 0 : 2 * k - 1] = gather(from, spectrum_steps.line, count);
        if (k > 0 && 2 * k < n_) x[2 * k] = gather(from + 1, spectrum_steps.line, count);
      }
      plan_.exec(x, 1.0, false);
      double* const to = real + first * real_steps.line;
      for (Index i = 0; i < n_; ++i)
        scatter(to + i * real_steps.number, real_steps.line, count, x[i]);
    }
  }

 private:
  Index n_;
  pocketfft::detail::pocketfft_r<double> plan_;
};

std::unique_ptr<const ComplexLines> complex_lines(Index n) { return std::make_unique<Complex>(n); }
std::unique_ptr<const RealLines> real_lines(Index n) { return std::make_unique<Real>(n); }

}  // namespace

const PocketFft pocket_fft_table{complex_lines, real_lines};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
