#pragma once
// Weights of the time lags, which reduce ringing on the frequency axis. All are 1 at lag 0.

#include <string_view>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::correlations {

enum class Window { none, hann, hamming, blackman, gaussian };

/// @throws InputError for another name
Window window_by_name(std::string_view name);

/// Default standard deviation of a Gaussian window, as a fraction of the lags.
inline constexpr double gaussian_width = 0.4;

/// Weights of lags 0 to lags - 1; they fall to (nearly) zero at lag `lags`. With x = lag / lags:
/// hann (1 + cos pi x) / 2, hamming 0.54 + 0.46 cos pi x, blackman 0.42 + 0.5 cos pi x + 0.08 cos 2
/// pi x, gaussian exp(-(x / width)^2 / 2), which is nearly zero only if `width` is small.
std::vector<double> window_weights(Window window, Index lags, double width = gaussian_width);

}  // namespace larmor::correlations
