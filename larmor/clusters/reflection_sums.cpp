#include "larmor/clusters/reflection_sums.hpp"

namespace larmor::clusters {

double ReflectionSums::order_squared(Index sites, int components) const {
  const auto V = static_cast<double>(sites);
  return components * projection_squares / (V * V);
}

// A site's cluster is chosen with probability |C| / V, so that sum_C S_C^2 = V <S_C^2 / |C|>.
double ReflectionSums::wolff_order_squared(Index sites, int components) const {
  return components * projection_squares / static_cast<double>(sites);
}

}  // namespace larmor::clusters
