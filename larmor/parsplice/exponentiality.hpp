#pragma once
// Are times exponential? The test of Anderson and Darling for an unknown rate.
//
// With the order statistics t_(1) <= ... <= t_(n), the mean m and F_i = 1 - exp(-t_(i) / m),
//     A^2 = -n - (1/n) sum_i (2 i - 1) [ln F_i + ln (1 - F_(n+1-i))].
// The mean is from the times themselves, so A^2 is smaller than for a known rate. The p-value is
// for an estimated mean: a function of A^2 (1 + 0.6 / n).
//
// Source: M. A. Stephens in R. B. D'Agostino and M. A. Stephens, Goodness-of-Fit Techniques
// (1986), chapter 4.

#include <vector>

namespace larmor::parsplice {

struct Exponentiality {
  double statistic;  ///< A^2 (1 + 0.6 / n)
  double p_value;    ///< probability of a larger statistic, if the times are exponential
};

/// @param times all positive
/// @throws InternalError for fewer than five times, or times that are not positive
Exponentiality exponentiality(std::vector<double> times);

}  // namespace larmor::parsplice
