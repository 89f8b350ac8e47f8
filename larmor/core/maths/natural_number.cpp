#include "larmor/core/maths/natural_number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace larmor {
namespace {

__extension__ using DoubleLimb = unsigned __int128;

constexpr int bits_of_limb = 64;
/// The largest power of ten in a limb.
constexpr Limb power_of_ten = 10'000'000'000'000'000'000U;
constexpr int digits_of_power = 19;

std::span<const Limb> without_leading_zeros(std::span<const Limb> number) {
  while (!number.empty() && number.back() == 0) number = number.first(number.size() - 1);
  return number;
}

/// number /= divisor. @return the remainder
Limb divide(std::vector<Limb>& number, Limb divisor) {
  DoubleLimb rest = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    rest = (rest << unsigned{bits_of_limb}) | number[i];
    number[i] = static_cast<Limb>(rest / divisor);
    rest %= divisor;
  }
  while (!number.empty() && number.back() == 0) number.pop_back();
  return static_cast<Limb>(rest);
}

}  // namespace

namespace limbs {

int bit_length(std::span<const Limb> number) {
  const std::span<const Limb> shown = without_leading_zeros(number);
  if (shown.empty()) return 0;
  return static_cast<int>(shown.size() - 1) * bits_of_limb +
         static_cast<int>(std::bit_width(shown.back()));
}

int exponent_above(std::span<const Limb> number) {
  const std::span<const Limb> shown = without_leading_zeros(number);
  const bool is_power =
      std::has_single_bit(shown.back()) &&
      std::ranges::all_of(shown.first(shown.size() - 1), [](Limb limb) { return limb == 0; });
  return bit_length(shown) - (is_power ? 1 : 0);
}

void add(std::span<Limb> sum, std::span<const Limb> other) {
  const std::span<const Limb> added = without_leading_zeros(other);
  Limb carry = 0;
  for (std::size_t i = 0; i < sum.size() && (i < added.size() || carry != 0); ++i) {
    const DoubleLimb whole = DoubleLimb{sum[i]} + (i < added.size() ? added[i] : 0) + carry;
    sum[i] = static_cast<Limb>(whole);
    carry = static_cast<Limb>(whole >> unsigned{bits_of_limb});
  }
}

void multiply(std::span<const Limb> a, std::span<const Limb> b, std::span<Limb> product) {
  const std::span<const Limb> first = without_leading_zeros(a), second = without_leading_zeros(b);
  std::ranges::fill(product, 0);
  for (std::size_t i = 0; i < first.size(); ++i) {
    Limb carry = 0;
    for (std::size_t j = 0; j < second.size() || carry != 0; ++j) {
      if (i + j >= product.size()) break;
      const DoubleLimb whole =
          DoubleLimb{first[i]} * (j < second.size() ? second[j] : 0) + product[i + j] + carry;
      product[i + j] = static_cast<Limb>(whole);
      carry = static_cast<Limb>(whole >> unsigned{bits_of_limb});
    }
  }
}

}  // namespace limbs

NaturalNumber::NaturalNumber(std::uint64_t value) : NaturalNumber(std::span(&value, 1)) {}

NaturalNumber::NaturalNumber(std::span<const Limb> number) {
  const std::span<const Limb> shown = without_leading_zeros(number);
  limbs_.assign(shown.begin(), shown.end());
}

NaturalNumber operator*(const NaturalNumber& a, const NaturalNumber& b) {
  std::vector<Limb> product(a.limbs_.size() + b.limbs_.size());
  limbs::multiply(a.limbs_, b.limbs_, product);
  return NaturalNumber(product);
}

std::string NaturalNumber::digits() const {
  std::vector<Limb> left = limbs_, groups;
  do {
    groups.push_back(divide(left, power_of_ten));
  } while (!left.empty());
  std::string text = std::to_string(groups.back());
  for (std::size_t i = groups.size() - 1; i-- > 0;)
    text += fmt::format("{:0{}}", groups[i], digits_of_power);
  return text;
}

}  // namespace larmor
