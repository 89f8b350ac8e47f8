#pragma once
// The bonds along which clusters of spins grow, and the terms that have such clusters.

#include <vector>

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {

/// Does a term allow clusters? A reflection of all spins must leave the energy of the term
/// unchanged, and bonds must be linear in each spin. Only isotropic exchange satisfies these two
/// conditions.
bool allows_clusters(const LoweredTerm& term);

/// The isotropic exchange of all terms, between storage positions of a model, without vacancies.
/// BITS: bonds are numbered: first the bonds of the stencil, cell by cell, then explicit pairs.
/// Several bonds between two ends are one bond.
/// @param terms terms of the model
/// @param replicas replicas of the model
/// @throws InputError if a term does not allow clusters
clusters::ReflectionGraph cluster_bonds(const lattice::Geometry& geometry, const Model& model,
                                        std::vector<LoweredTerm> terms,
                                        const ReplicaShare& replicas);

}  // namespace larmor::spins
