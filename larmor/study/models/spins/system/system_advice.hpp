#pragma once
// What the user should know about lattice and Hamiltonian: what was left out, or acts otherwise
// than it may have been meant.

#include <string>
#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/study/models/spins/system/spin_tables.hpp"

namespace larmor::study {

/// One text each: bonds that reach around the periodic lattice, spins that nothing couples,
/// directions of a momfile that nothing reads, a lattice constant that nobody gave.
/// @param terms of the tables, lowered
std::vector<std::string> system_advice(const SystemTables& tables,
                                       const lattice::Geometry& geometry,
                                       const std::vector<spins::LoweredTerm>& terms);

}  // namespace larmor::study
