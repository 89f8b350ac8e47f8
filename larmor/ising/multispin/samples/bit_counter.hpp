#pragma once
// For each bit, a counter counts the planes with a one at this bit. A plane of weight 2^n is kept
// until a second plane of this weight arrives. An adder then turns both planes and the sum so far
// into a new sum and a carry of weight 2^(n + 1).

#include "larmor/ising/multispin/grid/words.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {

class BitCounter {
  using W = NativeWords;

 public:
  BitCounter() {
    for (int n = 0; n < most; ++n) sum_[n] = kept_[n] = W{};
  }
  /// Adds 2^weight to the counter of each bit that is 1. Each count must stay below 2^32.
  LARMOR_INLINE void add(W plane, int weight) {
    for (; (keeps_ >> weight & 1u) != 0; ++weight) {
      const W carry = majority(sum_[weight], kept_[weight], plane);
      sum_[weight] = xor3(sum_[weight], kept_[weight], plane);
      kept_[weight] = W{};
      keeps_ &= ~(1u << weight);
      plane = carry;
    }
    kept_[weight] = plane;
    keeps_ |= 1u << weight;
  }
  /// The counts of bit b, one for every word.
  LARMOR_INLINE W count(int b) const {
    W total{};
    for (int n = 0; n < most; ++n)
      total = total + ((((sum_[n] >> b) & 1u) + ((kept_[n] >> b) & 1u)) << n);
    return total;
  }

 private:
  static constexpr int most = 32;
  W sum_[most], kept_[most];
  std::uint32_t keeps_ = 0;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
