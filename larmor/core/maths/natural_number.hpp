#pragma once
// Exact natural numbers of any size, for numbers of states. They consist of limbs of 64 bits, the
// lowest first. A table of such numbers has a row of limbs for each number. The functions of
// `limbs` compute with these rows.

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace larmor {

using Limb = std::uint64_t;

namespace limbs {

/// Number of binary digits; 0 for 0.
int bit_length(std::span<const Limb> number);
/// Least e with number <= 2^e. @param number not 0
int exponent_above(std::span<const Limb> number);
/// sum += other. `sum` must have enough limbs for the result.
void add(std::span<Limb> sum, std::span<const Limb> other);
/// product = a b. `product` must not overlap a or b, and must have enough limbs for the result.
void multiply(std::span<const Limb> a, std::span<const Limb> b, std::span<Limb> product);

}  // namespace limbs

class NaturalNumber {
 public:
  NaturalNumber() = default;
  explicit NaturalNumber(std::uint64_t value);
  explicit NaturalNumber(std::span<const Limb> number);

  friend NaturalNumber operator*(const NaturalNumber& a, const NaturalNumber& b);
  friend bool operator==(const NaturalNumber&, const NaturalNumber&) = default;
  friend bool operator==(const NaturalNumber& a, std::uint64_t b) { return a == NaturalNumber(b); }

  int bit_length() const { return limbs::bit_length(limbs_); }
  /// Decimal digits.
  std::string digits() const;

 private:
  std::vector<Limb> limbs_;  ///< the last is not 0
};

}  // namespace larmor
