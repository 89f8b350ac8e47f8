#pragma once
// Terms whose couplings or fields differ by replica.

#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

bool differs_by_replica(const LoweredTerm& term);

/// Adds the contributions of the only replica, number 0, to the terms: nothing differs by replica
/// afterwards.
void settle_on_one_replica(std::vector<LoweredTerm>& terms);

/// Makes replica 0 of the terms the replica `first` of the study.
void count_replicas_from(Index first, std::vector<LoweredTerm>& terms);

}  // namespace larmor::spins
