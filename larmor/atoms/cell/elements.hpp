#pragma once
// The chemical elements.

#include <string_view>

namespace larmor::atoms {

struct Element {
  int Z;  ///< charge of the nucleus
  std::string_view symbol;
  double mass;  ///< of an atom, g/mol
};

/// By its symbol, "W"; null if there is none.
const Element* find_element(std::string_view symbol);

/// The element that has this mass, up to rounding; null if none is so near.
/// @param mass g/mol
const Element* find_element_by_mass(double mass);

}  // namespace larmor::atoms
