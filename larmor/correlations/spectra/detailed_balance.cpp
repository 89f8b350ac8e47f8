#include "larmor/correlations/spectra/detailed_balance.hpp"

#include <cmath>

namespace larmor::correlations {

double detailed_balance_factor(double x) { return x == 0 ? 1 : x / -std::expm1(-x); }

void apply_detailed_balance(StructureFactorResult& result, double hbar_over_kT) {
  const std::size_t F = result.frequency.size();
  std::vector<double> factor;
  for (const double w : result.frequency)
    factor.push_back(detailed_balance_factor(hbar_over_kT * w));
  for (std::size_t i = 0; i < result.intensity.size(); ++i) {
    result.intensity[i] *= factor[i % F];
    result.error[i] *= factor[i % F];
  }
  for (std::size_t i = 0; i < result.components.size(); ++i)
    result.components[i] *= factor[i / 3 % F];
}

}  // namespace larmor::correlations
