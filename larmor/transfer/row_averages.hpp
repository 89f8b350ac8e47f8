#pragma once
// Averages of a row inside an infinite strip, from the leading vector v of T: a row has the
// probability v(x)^2. The bond of spin i with the next row has the average
//
//   <s_i s'_i> = coth 2K' - sum_x u(x) z(x^i) / sinh 2K',   u = D^(1/2) v,   z = X u / lambda,
//
// where x^i is x with spin i turned. It follows from v = D^(1/2) z.

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

/// @param leading v, of length 1, in the sector `all` or `even`
/// @param next z, the product of X and u over lambda
/// @param bits those that number the states in `space`
RowAverages row_averages(const VectorSpace& space, const Vector& leading, const Vector& next,
                         const RowModel& model, const SiteBits& bits, const RowWeights& weights);

/// Terms of the averages, a function of each state of this rank.
struct RowTerms {
  static constexpr int count = 6;
  const double *v, *z;
  WeightView weight;
  Index first;      ///< index of the first state of this rank
  int sites, bits;  ///< bits of the states of this rank
  /// Not null: only the term of one site, which has none of these bits. These are the z of the
  /// states that differ from x in this site.
  const double* across;
  Index across_mask;
  double across_coth, across_inverse_sinh;
  double coth[most_sites], inverse_sinh[most_sites];  ///< times K', by bit

  LARMOR_INLINE std::array<double, count> operator()(Index x) const {
    const double g = weight(x), p = v[x] * v[x], u = g * v[x];
    if (across != nullptr) {
      const double other = across[x ^ across_mask];
      return {0, across_coth * p - across_inverse_sinh * u * other, 0, 0, 0, 0};
    }
    double next = 0;
    for (int i = 0; i < bits; ++i) {
      next += coth[i] * p - inverse_sinh[i] * u * z[x ^ (Index{1} << i)];
    }
    int up = 0;
    for (Index rest = first + x; rest != 0; rest &= rest - 1) ++up;
    const double m = static_cast<double>(2 * up - sites) / sites, m2 = m * m;
    // A state whose weight is 0 has the probability 0.
    return {
        g > 0 ? p * 2 * std::log(g) : 0, next, p * m, p * (m < 0 ? -m : m), p * m2, p * m2 * m2};
  }
};

namespace detail {
/// @return sums over the own parts (term, part)
std::vector<double> row_sums_on_gpu(const VectorSpace& space, const RowTerms& terms);
}  // namespace detail

}  // namespace larmor::transfer
