#pragma once
// Numbers and words of fixed width, as Fortran writes them.

#include <string>
#include <string_view>

#include "larmor/core/types.hpp"

namespace larmor::imports::uppasd {

/// The text at the right end of `width` columns. A longer text keeps all its characters.
std::string right(std::string_view text, std::size_t width);
/// The edit descriptor I.
std::string i_text(Index number, std::size_t width);
/// The edit descriptor ES: exponents of three digits replace the E.
std::string es_text(double number, std::size_t width = 16, int digits = 8);
/// The edit descriptor F. A number that is zero to these digits has no sign.
std::string f_text(double number, std::size_t width, int digits);

}  // namespace larmor::imports::uppasd
