#include "larmor/correlations/spectra/time_transform.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/fft/plans.hpp"

namespace larmor::correlations {
namespace {

double weight(Window window, double x, double width) {
  const double phase = std::numbers::pi * x;
  switch (window) {
    case Window::none:
      return 1;
    case Window::hann:
      return 0.5 + 0.5 * std::cos(phase);
    case Window::hamming:
      return 0.54 + 0.46 * std::cos(phase);
    case Window::blackman:
      return 0.42 + 0.5 * std::cos(phase) + 0.08 * std::cos(2 * phase);
    case Window::gaussian:
      return std::exp(-0.5 * (x / width) * (x / width));
  }
  throw InternalError("unknown window");
}

}  // namespace

Window window_by_name(std::string_view name) {
  if (name == "none") return Window::none;
  if (name == "hann") return Window::hann;
  if (name == "hamming") return Window::hamming;
  if (name == "blackman") return Window::blackman;
  if (name == "gaussian") return Window::gaussian;
  throw InputError("no window is called \"" + std::string(name) + "\"",
                   "use none, hann, hamming, blackman or gaussian");
}

std::vector<double> window_weights(Window window, Index lags, double width) {
  std::vector<double> weights;
  for (Index lag = 0; lag < lags; ++lag)
    weights.push_back(weight(window, static_cast<double>(lag) / static_cast<double>(lags), width));
  return weights;
}

namespace {

using Complex = std::complex<double>;

/// The plan is valid for any vector.
LineFft make_plan(Index n, FftDirection direction) {
  return LineFft(n, 1, direction, FftMemory::any);
}

}  // namespace

struct LagsToFrequencies::Plan {
  explicit Plan(Index n) : backward(make_plan(n, FftDirection::backward)) {}
  LineFft backward;
};

LagsToFrequencies::LagsToFrequencies(std::vector<double> weights, double interval)
    : weights_(std::move(weights)),
      interval_(interval),
      plan_(std::make_unique<Plan>(2 * static_cast<Index>(weights_.size()) - 1)) {}

LagsToFrequencies::~LagsToFrequencies() = default;

std::vector<double> LagsToFrequencies::operator()(const std::vector<Complex>& lags) const {
  const std::size_t T = weights_.size(), n = 2 * T - 1;
  std::vector<Complex> x(n);
  x[0] = weights_[0] * lags[0].real();
  for (std::size_t l = 1; l < T; ++l) {
    x[l] = weights_[l] * lags[l];
    x[n - l] = std::conj(x[l]);
  }
  plan_->backward(x.data());
  std::vector<double> spectrum(n);
  // The first frequency is k = -(T-1); the transform stores it at n - (T-1) = T.
  for (std::size_t k = 0; k < n; ++k) spectrum[k] = interval_ * x[(k + T) % n].real();
  return spectrum;
}

std::vector<double> LagsToFrequencies::frequencies() const {
  const auto T = static_cast<Index>(weights_.size());
  const double step = 2 * std::numbers::pi / (static_cast<double>(2 * T - 1) * interval_);
  std::vector<double> w;
  for (Index k = -(T - 1); k < T; ++k) w.push_back(step * static_cast<double>(k));
  return w;
}

struct Autocorrelation::Plan {
  explicit Plan(Index n)
      : forward(make_plan(n, FftDirection::forward)),
        backward(make_plan(n, FftDirection::backward)) {}
  LineFft forward, backward;
};

Autocorrelation::Autocorrelation(Index samples)
    : samples_(samples), plan_(std::make_unique<Plan>(2 * samples)) {}

Autocorrelation::~Autocorrelation() = default;

std::vector<Complex> Autocorrelation::operator()(const std::vector<Complex>& x) const {
  const auto T = static_cast<std::size_t>(samples_);
  std::vector<Complex> padded(2 * T);
  for (std::size_t s = 0; s < T; ++s) padded[s] = x[s];
  plan_->forward(padded.data());
  for (Complex& value : padded) value = std::norm(value);
  plan_->backward(padded.data());
  std::vector<Complex> lags(T);
  for (std::size_t l = 0; l < T; ++l)
    lags[l] = padded[l] / (static_cast<double>(2 * T) * static_cast<double>(T - l));
  return lags;
}

}  // namespace larmor::correlations
