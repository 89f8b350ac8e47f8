#pragma once
// The diagonal of H, from small tables instead of an element for each state:
//
//   <word| H |word> = low[low bits] + high[high bits] + sum_i f_i(high bits) s_i
//
// The sum runs over low sites, and f_i is the field of the bonds of site i to high sites. For given
// high bits, two tables of half of the low bits contain this sum.

#include <vector>

#include "larmor/quantum/state_space.hpp"

namespace larmor::quantum {

/// Half of the low bits has at most this many bits.
inline constexpr int half_bits = most_sites / 4;

struct DiagonalView {
  int low_bits;
  const double* low;   ///< [2^low_bits] in the order of SpaceView::low_word
  const double* high;  ///< [2^high bits]
  const int* first;    ///< [low_bits + 1] the first bond of each low site to high sites
  const int* bit;      ///< the high bit of such a bond
  const double* J;

  LARMOR_INLINE int half() const { return (low_bits + 1) / 2; }
  LARMOR_INLINE Index half_mask() const { return (Index{1} << half()) - 1; }
  /// f_i of low site i.
  LARMOR_INLINE double field(int i, Index high_word) const {
    double sum = 0;
    for (int n = first[i]; n < first[i + 1]; ++n)
      sum -= (high_word >> bit[n] & 1) != 0 ? J[n] : -J[n];
    return sum;
  }
  /// Part of the sum over low sites: those of the low half from `site` on, for the bits of `word`.
  static LARMOR_INLINE double sum_of(const double* fields, int sites, Index word) {
    double sum = 0;
    for (int i = 0; i < sites; ++i) sum += (word >> i & 1) != 0 ? fields[i] : -fields[i];
    return sum;
  }
};

class Diagonal {
 public:
  Diagonal(const Device& device, const SpinModel& model, const StateSpace& space);

  DiagonalView view() const;
  static double bytes(int sites, const Sector& sector);

 private:
  int low_bits_;
  Array<double> low_, high_, J_;
  Array<int> first_, bit_;
};

}  // namespace larmor::quantum
