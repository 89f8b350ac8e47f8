#include "larmor/imports/uppasd/fortran_text.hpp"

#include <fmt/core.h>

#include <cmath>

namespace larmor::imports::uppasd {
namespace {

/// Empty for a finite number.
std::string not_finite(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  return "";
}

}  // namespace

std::string right(std::string_view text, std::size_t width) {
  const std::size_t blanks = text.size() < width ? width - text.size() : 0;
  return std::string(blanks, ' ').append(text);
}

std::string i_text(Index number, std::size_t width) { return right(std::to_string(number), width); }

std::string es_text(double number, std::size_t width, int digits) {
  std::string text = not_finite(number);
  if (!text.empty()) return right(text, width);
  text = fmt::format("{:.{}E}", number, digits);
  const std::size_t exponent = text.find('E');
  constexpr std::size_t of_three_digits = 5;  // E+100
  if (text.size() - exponent == of_three_digits) text.erase(exponent, 1);
  return right(text, width);
}

std::string f_text(double number, std::size_t width, int digits) {
  std::string text = not_finite(number);
  if (text.empty()) text = fmt::format("{:.{}f}", number, digits);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return right(text, width);
}

}  // namespace larmor::imports::uppasd
