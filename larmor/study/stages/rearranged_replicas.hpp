#pragma once
// Replaces the states of replicas by those of others.

#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Replica r gets the state that replica source[r] had. A collective operation.
/// @param source [replicas of the study]
void rearrange_replicas(System& system, const std::vector<Index>& source, const Ranks& ranks);

}  // namespace larmor::study
