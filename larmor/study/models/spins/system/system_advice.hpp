#pragma once
// Advice to the user about lattice and Hamiltonian: omissions, and effects that may not be
// intended.

#include <string>
#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/study/models/spins/system/spin_tables.hpp"

namespace larmor::study {

/// One text for each: bonds that reach around the periodic lattice, spins without couplings,
/// directions of a momfile that are not read, a lattice constant that is not given.
/// @param terms those of the tables, lowered
std::vector<std::string> system_advice(const SystemTables& tables,
                                       const lattice::Geometry& geometry,
                                       const std::vector<spins::LoweredTerm>& terms);

}  // namespace larmor::study
