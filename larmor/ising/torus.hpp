#pragma once
// Exact partition function of Ising spins on a square torus without a field.

#include <cmath>
#include <numbers>

namespace larmor::ising {

/// ln Z of Ising spins on a torus of n by n sites, with K = J / k_B T. Source: B. Kaufman, Phys.
/// Rev. 76, 1232 (1949).
inline long double log_partition_function(int n, long double K) {
  const long double pi = std::numbers::pi_v<long double>;
  const auto gamma = [&](int k) {
    if (k == 0) return 2 * K + std::log(std::tanh(K));
    const long double c = std::cosh(2 * K) / std::tanh(2 * K) - std::cos(pi * k / n);
    return std::acosh(c);
  };
  // Four products, of 2 cosh and of 2 sinh of n gamma / 2, over odd and over even k, as logarithms
  // and signs.
  long double logs[4] = {}, signs[4] = {1, 1, 1, 1};
  for (int k = 0; k < 2 * n; ++k) {
    const long double x = n * gamma(k) / 2;
    const int pair = k % 2 == 1 ? 0 : 2;
    logs[pair] += std::abs(x) + std::log1p(std::exp(-2 * std::abs(x)));
    logs[pair + 1] += std::abs(x) + std::log1p(-std::exp(-2 * std::abs(x)));
    if (x < 0) signs[pair + 1] = -signs[pair + 1];
  }
  long double sum = 0;
  for (int i = 0; i < 4; ++i) sum += signs[i] * std::exp(logs[i] - logs[0]);
  return logs[0] + std::log(sum / 2) + std::log(2 * std::sinh(2 * K)) * n * n / 2;
}

/// Energy per site, J = 1. @param temperature k_B T
inline double torus_energy(int n, double temperature) {
  const long double K = 1 / static_cast<long double>(temperature), step = 1e-5L;
  return static_cast<double>(
      -(log_partition_function(n, K + step) - log_partition_function(n, K - step)) /
      (2 * step * n * n));
}

/// Specific heat per site.
inline double torus_specific_heat(int n, double temperature) {
  const long double K = 1 / static_cast<long double>(temperature), step = 2e-4L;
  return static_cast<double>(K * K *
                             (log_partition_function(n, K + step) +
                              log_partition_function(n, K - step) -
                              2 * log_partition_function(n, K)) /
                             (step * step * n * n));
}

}  // namespace larmor::ising
