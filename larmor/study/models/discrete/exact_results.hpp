#pragma once
// Exactly known results for Ising and Potts spins.

#include "larmor/study/model_kind/exact_result.hpp"

namespace larmor::study {

/// Energies of Ising spins by every engine and rule. The source for a torus is B. Kaufman, Phys.
/// Rev. 76, 1232 (1949); the bonds of an open chain are independent.
std::vector<ExactResult> exact_ising();
/// Energies of Potts spins.
std::vector<ExactResult> exact_potts();

}  // namespace larmor::study
