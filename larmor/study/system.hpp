#pragma once
// From the tables of a study to the lattice and the Hamiltonian.

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/lowered_term.hpp"
#include "larmor/spins/model.hpp"
#include "larmor/study/study.hpp"

namespace larmor::study {

/// @throws InputError for sizes, cells, files that make no sense
lattice::Geometry build_geometry(const Study& study);

/// Moments of canonical sites in mu_B. [sites]
std::vector<double> site_moments(const lattice::Geometry& geometry);

/// Every term of the study, in the canonical forms. The result refers to `geometry` and `moments`.
std::vector<spins::LoweredTerm> lower_terms(const Study& study, const lattice::Geometry& geometry,
                                            const std::vector<double>& moments);

/// Directions before the first stage in canonical order; empty: random.
std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const lattice::Geometry& geometry);

}  // namespace larmor::study
