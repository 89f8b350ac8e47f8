#pragma once
// Checks that replicas share means, which connected correlations subtract.

#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

/// @param study with all replicas @throws InputError for fewer than two
inline void require_several_replicas(const Study& study, const SourcePosition& where) {
  if (study.replicas < 2)
    throw InputError("connected correlations need at least two replicas", where,
                     "set replicas = 2 or more, or connected = false here");
}

/// @throws InputError for replicas with couplings of their own
inline void require_replicas_alike(const Study& study, const lattice::Geometry& geometry,
                                   const SourcePosition& where) {
  if (numbers_by_replica(spin_tables(study), geometry) > 0)
    throw InputError(
        "connected correlations: replicas with couplings of their own have no mean in common",
        where,
        "give the disorder a seed of its own, not by replica, or set connected = false here");
}

}  // namespace larmor::study
