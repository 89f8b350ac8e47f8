#include "larmor/atoms/potentials/snap/clebsch_gordan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace larmor::atoms::snap {
namespace {

/// A product of factorials of numbers up to 22, as powers of 2 to 22: common factors cancel
/// exactly.
class Factorials {
 public:
  void multiply(int n, int power) {
    for (int factor = 2; factor <= n; ++factor) power_[static_cast<std::size_t>(factor)] += power;
  }
  /// The square root of the product.
  double root() const {
    double above = 1, below = 1;
    for (std::size_t n = 2; n < power_.size(); ++n)
      (power_[n] > 0 ? above : below) *= std::pow(static_cast<double>(n), std::abs(power_[n]));
    return std::sqrt(above / below);
  }

 private:
  std::array<int, 23> power_{};
};

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

double clebsch_gordan(int j1, int m1, int j2, int m2, int j) {
  const int shift = (j1 + j2 - j) / 2, m = m1 + m2 - shift;
  if (m < 0 || m > j) return 0;
  // If the sum is written with the binomials of j1 + j2 - j, j1 - j2 + j and j2 - j1 + j, its terms
  // are integers.
  const int across = (j1 - j2 + j) / 2, along = (j2 - j1 + j) / 2;
  double sum = 0;
  for (int z = std::max({0, j1 - m1 - across, m2 - along}); z <= std::min({shift, j1 - m1, m2});
       ++z)
    sum += (z % 2 == 0 ? 1 : -1) * binomial(shift, z) * binomial(across, j1 - m1 - z) *
           binomial(along, m2 - z);
  Factorials square;
  for (const int n : {m1, j1 - m1, m2, j2 - m2, m, j - m}) square.multiply(n, 1);
  for (const int n : {shift, across, along}) square.multiply(n, -1);
  square.multiply((j1 + j2 + j) / 2 + 1, -1);
  return std::sqrt(j + 1.0) * square.root() * sum;
}

}  // namespace larmor::atoms::snap
