#include "larmor/ising/clusters/state_sums.hpp"

namespace larmor::ising {

double StateSums::order_squared() const {
  Index sites = 0;
  for (const Index count : counts) sites += count;
  const auto q = static_cast<double>(counts.size());
  double sum = 0;
  for (const Index count : counts) {
    const double excess = static_cast<double>(count) / static_cast<double>(sites) - 1 / q;
    sum += excess * excess;
  }
  return q / (q - 1) * sum;
}

}  // namespace larmor::ising
