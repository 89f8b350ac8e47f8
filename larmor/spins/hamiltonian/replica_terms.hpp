#pragma once
// Terms whose couplings or fields differ by replica.

#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

bool differs_by_replica(const LoweredTerm& term);

/// The terms as the only replica, number 0, has them: nothing differs by replica afterwards.
void settle_on_one_replica(std::vector<LoweredTerm>& terms);

/// Terms whose replica 0 is number `first` of the study.
void count_replicas_from(Index first, std::vector<LoweredTerm>& terms);

}  // namespace larmor::spins
