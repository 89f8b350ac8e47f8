#pragma once
// What is known exactly of atoms.

#include "larmor/study/model_kind/exact_result.hpp"

namespace larmor::study {

/// The closed form of the repulsion of nuclei, and of a phonon that it makes; SNAP of two elements
/// by the textbook method, whose energy alone gives forces and pressure; ideal gases; thermostats.
std::vector<ExactResult> exact_atoms();

}  // namespace larmor::study
