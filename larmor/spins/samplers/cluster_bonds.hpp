#pragma once
// Which bonds clusters of spins grow along, and which models have such clusters.

#include <vector>

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {

/// Does a term make clusters? A reflection of all spins must leave its energy as it is, and bonds
/// be linear in either spin: isotropic exchange alone is so.
bool has_clusters(const LoweredTerm& term);

/// The isotropic exchange of all terms, between storage positions of a model; vacancies are not in
/// it. BITS: bonds are numbered cell by cell of the stencil, those of equal ends once, then pair by
/// pair. @param terms that the model was made of @param replicas as the model has them
/// @throws InputError for a term that has no clusters
clusters::ReflectionGraph cluster_bonds(const lattice::Geometry& geometry, const Model& model,
                                        std::vector<LoweredTerm> terms,
                                        const ReplicaShare& replicas);

}  // namespace larmor::spins
