#pragma once
// Transforms from time lags to frequencies, and from a series to its autocorrelation.

#include <complex>
#include <memory>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::correlations {

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
