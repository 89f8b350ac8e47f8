#include "cli/communication_model.hpp"

#include <algorithm>

namespace larmor::cli {

Link fitted(const std::vector<Exchange>& measured) {
  // t = latency + bytes / bandwidth, each row divided by t.
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const Exchange& e : measured) {
    const double one = 1 / e.seconds, size = e.bytes / e.seconds;
    aa += one * one;
    ab += one * size;
    bb += size * size;
    a += one;
    b += size;
  }
  const double determinant = aa * bb - ab * ab;
  return {(a * bb - b * ab) / determinant, determinant / (b * aa - a * ab)};
}

double seconds_of(const SlabStep& step, double spins_of_rank, const Link& link) {
  const double updates = spins_of_rank * step.seconds_a_spin / step.exchanges;
  const double halos = link.seconds(step.bytes_a_step / step.exchanges);
  return step.exchanges * std::max(updates, halos) + step.overhead;
}

}  // namespace larmor::cli
