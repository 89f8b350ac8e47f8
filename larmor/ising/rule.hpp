#pragma once
// Rules to update a single site.

namespace larmor::ising {

/// Metropolis: another state, accepted with probability min(1, exp(-dE / T)). Glauber: another
/// state with probability 1 / (1 + exp(dE / T)). Heat bath: a state by its Boltzmann weight. Lazy
/// Metropolis: moves with half the probability of Metropolis, in the sweeps chosen by
/// lattice/lazy_sweeps.hpp.
enum class Rule { metropolis, heat_bath, glauber, lazy_metropolis };

}  // namespace larmor::ising
