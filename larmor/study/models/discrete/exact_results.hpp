#pragma once
// What is known exactly of Ising and Potts spins.

#include "larmor/study/model_kind/exact_result.hpp"

namespace larmor::study {

/// Energies of Ising spins by every engine and rule. Sources: of a torus B. Kaufman, Phys. Rev. 76,
/// 1232 (1949); of an open chain the bonds are independent.
std::vector<ExactResult> exact_ising();
/// The same of Potts spins.
std::vector<ExactResult> exact_potts();

}  // namespace larmor::study
