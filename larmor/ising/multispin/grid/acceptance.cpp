#include "larmor/ising/multispin/grid/acceptance.hpp"

#include <cmath>

namespace larmor::ising {

double flip_probability(Rule rule, int h, double ratio) {
  // h = 0 is a separate case, since the ratio is infinite at T = 0 and its product with 0 is not a
  // number.
  const double exponent = h == 0 ? 0 : 2 * ratio * h;
  if (rule == Rule::metropolis) return exponent <= 0 ? 1 : std::exp(-exponent);
  if (rule == Rule::lazy_metropolis) return flip_probability(Rule::metropolis, h, ratio) / 2;
  return 1 / (1 + std::exp(exponent));
}

std::uint64_t flip_threshold(Rule rule, int h, double ratio) {
  return static_cast<std::uint64_t>(
      std::nearbyint(std::ldexp(flip_probability(rule, h, ratio), digits)));
}

Acceptance acceptance_of(Rule rule, int axes, double ratio) {
  Acceptance table{};
  for (int q = 0; q <= 4 * axes; ++q) {
    const std::uint64_t threshold = flip_threshold(rule, 2 * axes - q, ratio);
    const bool is_sure = (threshold >> digits) != 0;
    table.threshold[q] = static_cast<std::uint32_t>(threshold);
    table.sure[q] = is_sure ? ~0u : 0u;
    table.drawn[q] = !is_sure && threshold != 0 ? ~0u : 0u;
    for (int k = 0; k < digits; ++k)
      table.digit[q][k] = ((table.threshold[q] >> (digits - 1 - k)) & 1u) != 0 ? ~0u : 0u;
  }
  return table;
}

}  // namespace larmor::ising
