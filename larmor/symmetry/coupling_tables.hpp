#pragma once
// The allowed couplings of bonds and sites as tables of a study, with letters in place of numbers.

#include <string>

#include "larmor/symmetry/bond_symmetry.hpp"

namespace larmor::symmetry {

/// An [[exchange-tensor]] table of a bond, with lines ending in "\n". Letters are strings.
std::string exchange_table(const BondOrbit& orbit);

/// An [[anisotropy]] table of an atom; empty if its symmetry allows no anisotropy of second order.
std::string anisotropy_table(const SiteOrbit& orbit);

}  // namespace larmor::symmetry
