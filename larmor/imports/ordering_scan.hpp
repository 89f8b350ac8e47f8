#pragma once
// The stage of a study whose file has couplings and no simulation: Monte Carlo through the
// ordering temperature.

#include "larmor/imports/import.hpp"

namespace larmor::imports {

/// Adds a stage that cools from 1.2 T_c of mean-field theory to a tenth of T_c, and a note about it
/// and about the size of the lattice. @param T_c in K @param where place of the couplings
void add_ordering_scan(double T_c, const SourceMark& where, Import& import);

}  // namespace larmor::imports
