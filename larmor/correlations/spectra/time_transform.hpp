#pragma once
// Transforms from time lags to frequencies, and from a series to its autocorrelation. Windows are
// weights of the time lags. They reduce ringing on the frequency axis. All windows are 1 at lag 0.

#include <complex>
#include <memory>
#include <string_view>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::correlations {

enum class Window { none, hann, hamming, blackman, gaussian };

/// @throws InputError for another name
Window window_by_name(std::string_view name);

/// Default standard deviation of a Gaussian window, as a fraction of the number of lags.
inline constexpr double gaussian_width = 0.4;

/// Weights of lags 0 to lags - 1. They fall to zero, or nearly to zero, at lag `lags`. Let x = lag
/// / lags. hann is (1 + cos pi x) / 2, and hamming is 0.54 + 0.46 cos pi x. blackman is 0.42 + 0.5
/// cos pi x + 0.08 cos 2 pi x. gaussian is exp(-(x / width)^2 / 2), which is nearly zero at x = 1
/// only if `width` is small.
std::vector<double> window_weights(Window window, Index lags, double width = gaussian_width);

/// S(w_k) = dt sum_l w_l s_l exp(i w_k l dt) over l = -(T-1) ... T-1 with s_{-l} = conj s_l.
class LagsToFrequencies {
 public:
  LagsToFrequencies(std::vector<double> weights, double interval);
  ~LagsToFrequencies();
  /// @param lags [T] @return [2 T - 1], ascending frequencies
  std::vector<double> operator()(const std::vector<std::complex<double>>& lags) const;
  /// Angular frequencies, ascending, [2 T - 1].
  std::vector<double> frequencies() const;

 private:
  struct Plan;
  std::vector<double> weights_;
  double interval_;
  std::unique_ptr<Plan> plan_;
};

/// (1 / (T - l)) sum_s x_{s+l} conj x_s for l = 0 ... T-1, by zero-padded FFT.
class Autocorrelation {
 public:
  explicit Autocorrelation(Index samples);
  ~Autocorrelation();
  std::vector<std::complex<double>> operator()(const std::vector<std::complex<double>>& x) const;

 private:
  struct Plan;
  Index samples_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace larmor::correlations
