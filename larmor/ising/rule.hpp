#pragma once
// How a single site is updated.

namespace larmor::ising {

/// Metropolis: another state, accepted with probability min(1, exp(-dE / T)); Glauber: with
/// probability 1 / (1 + exp(dE / T)); heat bath: a state by its Boltzmann weight. Lazy Metropolis
/// moves with half the probability of Metropolis: some of its sweeps are (lattice/lazy_sweeps.hpp).
enum class Rule { metropolis, heat_bath, glauber, lazy_metropolis };

}  // namespace larmor::ising
