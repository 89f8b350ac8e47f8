#pragma once
// Replicas that take over the states of others.

#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Replica r has the state that replica source[r] had. All ranks come together.
/// @param source [replicas of the study]
void rearrange_replicas(System& system, const std::vector<Index>& source, const Ranks& ranks);

}  // namespace larmor::study
