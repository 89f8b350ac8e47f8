#pragma once
// The allowed couplings of bonds and sites as tables of a study, with letters in place of numbers.

#include <string>

#include "larmor/symmetry/bond_symmetry.hpp"

namespace larmor::symmetry {

/// How a table writes an entry that is 0.
inline constexpr const char* reduced_zero = "0";
inline constexpr const char* material_zero = "\"0 meV\"";

/// An [[exchange-tensor]] table of a bond, with lines ending in "\n". Letters are strings.
std::string exchange_table(const BondOrbit& orbit, const std::string& zero);

/// An [[anisotropy]] table of an atom; empty if its symmetry allows no anisotropy of second order.
std::string anisotropy_table(const SiteOrbit& orbit, const std::string& zero);

}  // namespace larmor::symmetry
