#include <fftw3.h>

#include <mutex>

#include "larmor/core/error.hpp"
#include "larmor/core/fft/fft_buffer.hpp"
#include "larmor/core/fft/plans.hpp"

// BITS: FFTW_ESTIMATE chooses a plan without measurements, so every run has an equal plan.

namespace larmor {
namespace {

/// FFTW allows only one thread at a time to make or destroy plans.
std::mutex& planner() {
  static std::mutex guard;
  return guard;
}

fftw_complex* as_complex(double* x) { return reinterpret_cast<fftw_complex*>(x); }
fftw_complex* as_complex(std::complex<double>* x) { return reinterpret_cast<fftw_complex*>(x); }

class OwnedPlan {
 public:
  /// @param make calls the planner
  template <class Make>
  explicit OwnedPlan(const Make& make) {
    const std::lock_guard lock(planner());
    plan_ = make();
    if (plan_ == nullptr) throw InternalError("FFTW made no plan");
  }
  ~OwnedPlan() {
    const std::lock_guard lock(planner());
    fftw_destroy_plan(plan_);
  }
  OwnedPlan(const OwnedPlan&) = delete;
  OwnedPlan& operator=(const OwnedPlan&) = delete;
  operator fftw_plan() const { return plan_; }

 private:
  fftw_plan plan_;
};

}  // namespace

struct LineFft::Plan {
  Plan(Index points, Index fields, FftDirection direction, FftMemory memory)
      : plan([&] {
          const FftBuffer buffer(2 * points * fields);
          const int n = static_cast<int>(points), stride = static_cast<int>(fields);
          return fftw_plan_many_dft(
              1, &n, stride, as_complex(buffer.data()), nullptr, stride, 1,
              as_complex(buffer.data()), nullptr, stride, 1,
              direction == FftDirection::forward ? FFTW_FORWARD : FFTW_BACKWARD,
              memory == FftMemory::aligned ? FFTW_ESTIMATE : FFTW_ESTIMATE | FFTW_UNALIGNED);
        }) {}
  OwnedPlan plan;
};

LineFft::LineFft(Index points, Index fields, FftDirection direction, FftMemory memory)
    : plan_(std::make_unique<Plan>(points, fields, direction, memory)) {}
LineFft::~LineFft() = default;

void LineFft::operator()(std::complex<double>* x) const {
  fftw_execute_dft(plan_->plan, as_complex(x), as_complex(x));
}

struct PlaneFft::Plan {
  Plan(Index rows, Index columns, Index fields)
      : plan([&] {
          const FftBuffer real(rows * columns * fields);
          const FftBuffer half_spectrum(2 * rows * (columns / 2 + 1) * fields);
          const int n[2] = {static_cast<int>(rows), static_cast<int>(columns)};
          const int stride = static_cast<int>(fields);
          return fftw_plan_many_dft_r2c(2, n, stride, real.data(), nullptr, stride, 1,
                                        as_complex(half_spectrum.data()), nullptr, stride, 1,
                                        FFTW_ESTIMATE);
        }) {}
  OwnedPlan plan;
};

PlaneFft::PlaneFft(Index rows, Index columns, Index fields)
    : plan_(std::make_unique<Plan>(rows, columns, fields)) {}
PlaneFft::~PlaneFft() = default;

void PlaneFft::operator()(const double* real, std::complex<double>* half_spectrum) const {
  // FFTW writes to the input only if a plan has the flag FFTW_DESTROY_INPUT.
  fftw_execute_dft_r2c(plan_->plan, const_cast<double*>(real), as_complex(half_spectrum));
}

struct GridFft::Plan {
  explicit Plan(const std::array<Index, 3>& size)
      : n{static_cast<int>(size[2]), static_cast<int>(size[1]), static_cast<int>(size[0])},
        doubles(2 * (size[0] / 2 + 1) * size[1] * size[2]),
        forward([&] {
          const FftBuffer x(doubles);
          return fftw_plan_dft_r2c(3, n.data(), x.data(), as_complex(x.data()), FFTW_ESTIMATE);
        }),
        backward([&] {
          const FftBuffer x(doubles);
          return fftw_plan_dft_c2r(3, n.data(), as_complex(x.data()), x.data(), FFTW_ESTIMATE);
        }) {}
  std::array<int, 3> n;
  Index doubles;
  OwnedPlan forward, backward;
};

GridFft::GridFft(const std::array<Index, 3>& size) : plan_(std::make_unique<Plan>(size)) {}
GridFft::~GridFft() = default;

void GridFft::forward(double* field) const {
  fftw_execute_dft_r2c(plan_->forward, field, as_complex(field));
}

void GridFft::backward(double* field) const {
  fftw_execute_dft_c2r(plan_->backward, as_complex(field), field);
}

}  // namespace larmor
