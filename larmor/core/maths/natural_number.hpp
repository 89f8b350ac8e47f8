#pragma once
// Natural numbers of any size, exact: numbers of states. They are limbs of 64 bits, the lowest
// first. Tables of such numbers have rows of limbs, which `limbs` works on.

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace larmor {

using Limb = std::uint64_t;

namespace limbs {

/// Of a number's binary digits; 0 of 0.
int bit_length(std::span<const Limb> number);
/// Least e with number <= 2^e. @param number not 0
int exponent_above(std::span<const Limb> number);
/// sum += other. The sum has room for what comes out.
void add(std::span<Limb> sum, std::span<const Limb> other);
/// product = a b, which is apart from both and has room for what comes out.
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
  /// In decimal.
  std::string digits() const;

 private:
  std::vector<Limb> limbs_;  ///< the last is not 0
};

}  // namespace larmor
