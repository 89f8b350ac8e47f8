#pragma once
// Position of a spectral line, with a finer resolution than the frequency grid.

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace larmor::testing_support {

/// Frequency of the maximum, refined by a parabola through the logarithms of three points. For a
/// single line under a Hann window, its error is a few hundredths of a bin.
/// @param frequency evenly spaced, in rising order
inline double fit_peak(std::span<const double> frequency, std::span<const double> intensity) {
  if (frequency.size() < 3 || frequency.size() != intensity.size())
    throw std::logic_error("a peak needs at least three points of a spectrum");
  const auto top = static_cast<std::size_t>(std::max_element(intensity.begin(), intensity.end()) -
                                            intensity.begin());
  if (top == 0 || top + 1 == intensity.size()) return frequency[top];
  const double tiny = 1e-12 * intensity[top];
  const double left = std::log(std::max(intensity[top - 1], tiny));
  const double centre = std::log(intensity[top]);
  const double right = std::log(std::max(intensity[top + 1], tiny));
  const double shift = 0.5 * (left - right) / (left - 2 * centre + right);
  return frequency[top] + shift * (frequency[1] - frequency[0]);
}

}  // namespace larmor::testing_support
