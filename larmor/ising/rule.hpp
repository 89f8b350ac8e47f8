#pragma once
// Rules to update a single site.

namespace larmor::ising {

/// Metropolis accepts another state with probability min(1, exp(-dE / T)), where dE is the change
/// of the energy. Glauber accepts another state with probability 1 / (1 + exp(dE / T)). Heat bath
/// draws a state by its Boltzmann weight. Lazy Metropolis moves with half the probability of
/// Metropolis, in the sweeps that lattice/lazy_sweeps.hpp chooses.
enum class Rule { metropolis, heat_bath, glauber, lazy_metropolis };

}  // namespace larmor::ising
