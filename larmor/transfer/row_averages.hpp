#pragma once
// Averages of a row inside an infinite strip, from the leading vector v of T: a row has the
// probability v(x)^2. The bond of spin i with the next row has the average
//
//   <s_i s'_i> = coth 2K' - sum_x v(x) v(x^i) (D(x) / D(x^i))^(1/2) / sinh 2K',
//
// where x^i is x with spin i turned. It follows from X u = lambda D^(-1/2) v for u = D^(1/2) v.

#include <array>
#include <cmath>

#include "larmor/transfer/row_weights.hpp"
#include "larmor/transfer/vectors.hpp"

namespace larmor::transfer {

inline constexpr int most_sites = 40;

struct RowAverages {
  double bonds;  ///< average of sum_b K_b s_i s_j + sum_i h_i s_i in the row
  double next;   ///< average of sum_i K'_i s_i s'_i
  double m;      ///< spin per site
  double abs_m, m2, m4;
};

/// @param leading has the length 1, in the sector `all` or `even`
RowAverages row_averages(const Vector& leading, const RowModel& model, const SiteBits& bits,
                         const RowWeights& weights);

/// Terms of the averages, a function of each state.
struct RowTerms {
  static constexpr int count = 6;
  const double* v;
  WeightView weight;
  Index mask;
  int sites, bits;
  double coth[most_sites], inverse_sinh[most_sites];  ///< times K'; by bit, then the site without

  LARMOR_INLINE std::array<double, count> operator()(Index x) const {
    const double g = weight(x), p = v[x] * v[x];
    double next = 0;
    for (int i = 0; i < sites; ++i) {
      const Index y = i < bits ? x ^ (Index{1} << i) : x ^ mask;
      next += coth[i] * p - inverse_sinh[i] * v[x] * v[y] * (g / weight(y));
    }
    int up = 0;
    for (int i = 0; i < bits; ++i) up += static_cast<int>(x >> i & 1);
    const double m = static_cast<double>(2 * up - sites) / sites, m2 = m * m;
    return {p * 2 * std::log(g), next, p * m, p * (m < 0 ? -m : m), p * m2, p * m2 * m2};
  }
};

namespace detail {
std::array<double, RowTerms::count> sum_on_gpu(const Device& device, const RowTerms& terms,
                                               Index states);
}  // namespace detail

}  // namespace larmor::transfer
