#pragma once
// Exactly known results for atoms.

#include "larmor/study/model_kind/exact_result.hpp"

namespace larmor::study {

/// The closed form of the repulsion of nuclei, and of one of its phonons. SNAP of two elements by
/// the textbook method, in which only the energy gives forces and pressure. Ideal gases;
/// thermostats.
std::vector<ExactResult> exact_atoms();

}  // namespace larmor::study
