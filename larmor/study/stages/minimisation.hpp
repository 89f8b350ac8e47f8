#pragma once
// Functions of stages that minimise the energy of a state.

#include <string>

#include "larmor/study/model_kind/ranks.hpp"

namespace larmor::study {

struct Minimised {
  Index steps;
  bool done;  ///< have the replicas of all ranks converged?
};

/// The joint progress of the replicas of all ranks. Ranks with converged replicas wait for all
/// other ranks.
/// @param steps number of steps of this rank's replicas @param done have the replicas of this rank
/// converged?
Minimised minimised_on_all_ranks(const Ranks& ranks, Index steps, bool done);

/// "2 of 8 replicas have", "the spins have": the subject of a note that says "not converged".
/// @param subject word for one replica, "the spins"
std::string unconverged_text(Index unconverged, Index replicas, const std::string& subject);

}  // namespace larmor::study
