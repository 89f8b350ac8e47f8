#pragma once
// Where a spectral line stands, finer than the frequency grid.

#include <span>

namespace larmor::correlations {

/// Frequency of the highest point, refined by a parabola through the logarithms of it and its
/// neighbours: good to a few hundredths of a bin for a single line under a Hann window.
/// @param frequency evenly spaced, ascending @throws InternalError for fewer than three points
double fit_peak(std::span<const double> frequency, std::span<const double> intensity);

}  // namespace larmor::correlations
