#pragma once
// What stages share that relax the state by a minimiser, whatever it is of.

#include <string>

#include "larmor/study/model_kind/ranks.hpp"

namespace larmor::study {

struct Minimised {
  Index steps;
  bool done;  ///< have the replicas of all ranks come to rest?
};

/// What the replicas of all ranks have done; ranks whose replicas rest wait for the others.
/// @param steps made by those of this rank @param done have they come to rest?
Minimised minimised_on_all_ranks(const Ranks& ranks, Index steps, bool done);

/// "2 of 8 replicas have", "the spins have": what a note says has not converged.
/// @param what one replica is called by, "the spins"
std::string unconverged_words(Index unconverged, Index replicas, const std::string& what);

}  // namespace larmor::study
