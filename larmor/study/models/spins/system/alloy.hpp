#pragma once
// Applies the alloy tables of a study to its lattice.

#include "larmor/lattice/geometry.hpp"
#include "larmor/study/models/spins/tables/lattice_tables.hpp"

namespace larmor::study {

/// Replaces sites table by table. Each table acts on the result of the tables before it.
/// @throws InputError at the first invalid table
void apply_alloy(const std::vector<AlloyTable>& tables, lattice::Geometry& geometry);

/// "3840 Fe, 200 Co, 56 vacancies": the occupation of the sites.
std::string composition_text(const lattice::Geometry& geometry);

/// Gilbert damping of every site: that of its basis atom, or of the substitute if its table gives
/// one.
/// @param of_atoms one for all basis atoms, or one for each
std::vector<double> site_damping(const std::vector<double>& of_atoms,
                                 const std::vector<AlloyTable>& tables,
                                 const lattice::Geometry& geometry);

}  // namespace larmor::study
