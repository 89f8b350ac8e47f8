#pragma once
// The ground state of a study's sample as a problem for solvers.

#include <optional>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// The number of disorder samples of a study of Ising spins; 1: all replicas have equal couplings.
Index count_samples(const Study& study);

/// H = - sum J s s - h sum s with the couplings of one sample, in the study's unit of energy.
/// Stages are ignored.
/// @param sample from 0; may be left out if there is only one
/// @throws InputError for studies of other model kinds, and for samples out of range
ground_states::QuadraticProblem problem_of_sample(const Study& study, std::optional<Index> sample);

}  // namespace larmor::study
