#pragma once
// Symbols and masses of the chemical elements.

#include <string_view>

namespace larmor::atoms {

struct Element {
  int Z;  ///< charge of the nucleus
  std::string_view symbol;
  double mass;  ///< mass of an atom, g/mol
};

/// The element with this symbol, such as "W"; null if there is none.
const Element* find_element(std::string_view symbol);

/// The element whose mass differs from `mass` only by rounding; null if there is none.
/// @param mass g/mol
const Element* find_element_by_mass(double mass);

}  // namespace larmor::atoms
