#include "bench/communication_model.hpp"

#include <algorithm>
#include <limits>

namespace larmor::bench {

Link fitted(const std::vector<Exchange>& measured) {
  // Least squares for t = latency + bytes / bandwidth. Each row is divided by its measured time t.
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
  const double latency = (a * bb - b * ab) / determinant;
  const double a_byte = (b * aa - a * ab) / determinant;
  // Noise may make a parameter negative. If latency or 1 / bandwidth is negative, only the other
  // parameter is fitted.
  if (latency < 0) return {0, bb / b};
  if (a_byte <= 0) return {a / aa, std::numeric_limits<double>::infinity()};
  return {latency, 1 / a_byte};
}

double seconds_of(const SlabStep& step, double spins_of_rank, double border, const Link& link) {
  const double updates = spins_of_rank * step.seconds_a_spin / step.exchanges;
  const double halos = link.seconds(step.bytes_a_step / step.exchanges);
  return step.exchanges * std::max(updates, border * updates + halos) + step.overhead;
}

}  // namespace larmor::bench
