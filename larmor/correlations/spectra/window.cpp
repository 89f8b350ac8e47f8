#include "larmor/correlations/spectra/window.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "larmor/core/error.hpp"

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

}  // namespace larmor::correlations
