#pragma once
// The ground state of a study's sample as a problem for searches.

#include <optional>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// Samples of frozen disorder that a study of Ising spins draws; 1: all replicas have the same
/// couplings.
Index count_samples(const Study& study);

/// H = - sum J s s - h sum s with the couplings of one sample, in the study's unit of energy.
/// Stages are not looked at.
/// @param sample from 0; may be left out where there is one
/// @throws InputError for studies of other matter, and samples that there are not
ground_states::QuadraticProblem problem_of_sample(const Study& study, std::optional<Index> sample);

}  // namespace larmor::study
