#pragma once
// The distribution of C(r,r') over pairs of different sites. It consists of the number of pairs
// with C in each bin, and of the pairs with the largest and smallest C.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Bins of equal width between two values of C.
struct CorrelationBins {
  double least = -1, greatest = 1;
  Index bins = 40;

  /// Bins for `scale` times C.
  CorrelationBins scaled(double scale) const { return {scale * least, scale * greatest, bins}; }
};

/// Totals of sums over pairs by the value of C. The first totals are the numbers of pairs with C
/// below all bins, in each bin, and above all bins. The last totals are the pairs with the largest
/// and smallest C. Each pair has three numbers: C, r + 1, r' + 1, or zeros if there is no pair.
constexpr Index numbers_of_pair = 3, extreme_pairs = 2;
constexpr Index counts_of(const CorrelationBins& bins) { return bins.bins + 2; }
constexpr Index totals_of(const CorrelationBins& bins) {
  return counts_of(bins) + extreme_pairs * numbers_of_pair;
}

/// Finds the count to which a value of C belongs. A value that is less than `edge` widths below an
/// edge between bins belongs to the bin above. Thus, rounding does not split pairs with equal C.
/// The lowest edge belongs to the first bin, and the highest edge to the last bin.
class CountOfValue {
 public:
  static constexpr double edge = 1e-9;

  explicit CountOfValue(const CorrelationBins& bins)
      : least_(bins.least),
        per_width_(static_cast<double>(bins.bins) / (bins.greatest - bins.least)),
        bins_(static_cast<int>(bins.bins)) {}
  /// Returns the number of the count. A NaN counts as below all bins.
  LARMOR_HD int operator()(double c) const {
    const double place = (c - least_) * per_width_ + edge;
    if (!(place >= 0)) return 0;
    if (place > bins_ + 2 * edge) return bins_ + 1;
    return 1 + (place < bins_ ? static_cast<int>(place) : bins_ - 1);
  }

 private:
  double least_, per_width_;
  int bins_;
};

/// A pair of sites, and its C.
struct ExtremePair {
  double c = 0;
  std::int32_t row = -1, column = -1;  ///< -1: none yet

  /// Is this pair more extreme than another? If values are equal, the pair that comes first in C is
  /// more extreme.
  LARMOR_HD bool beyond(const ExtremePair& other, bool largest) const {
    if (row < 0 || other.row < 0) return row >= 0;
    if (c != other.c) return (c > other.c) == largest;
    return row != other.row ? row < other.row : column < other.column;
  }
  /// Replaces this pair by another if the other is more extreme.
  LARMOR_HD void update(const ExtremePair& other, bool largest) {
    if (other.beyond(*this, largest)) *this = other;
  }

  /// Writes the pair in the format of totals.
  LARMOR_HD void store(double* numbers) const {
    numbers[0] = c;
    numbers[1] = row + 1;
    numbers[2] = column + 1;
  }
  LARMOR_HD static ExtremePair load(const double* numbers) {
    return {numbers[0], static_cast<std::int32_t>(numbers[1]) - 1,
            static_cast<std::int32_t>(numbers[2]) - 1};
  }
};

/// The pairs with the largest and the smallest C.
struct ExtremePairs {
  ExtremePair largest, smallest;

  /// Includes further pairs.
  LARMOR_HD void update(const ExtremePair& pair) {
    largest.update(pair, true);
    smallest.update(pair, false);
  }
  LARMOR_HD void update(const ExtremePairs& other) {
    largest.update(other.largest, true);
    smallest.update(other.smallest, false);
  }
  /// Could a pair with this C be one of the extreme pairs?
  LARMOR_HD bool may_hold(double c) const {
    return largest.row < 0 || c >= largest.c || c <= smallest.c;
  }
  LARMOR_HD void store(double* numbers) const {
    largest.store(numbers);
    smallest.store(numbers + numbers_of_pair);
  }
  LARMOR_HD static ExtremePairs load(const double* numbers) {
    return {ExtremePair::load(numbers), ExtremePair::load(numbers + numbers_of_pair)};
  }
};

}  // namespace larmor::correlations::real_space
