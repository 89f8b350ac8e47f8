#pragma once
// Stores several configurations of one problem, and sweeps each of them.

#include <vector>

#include "larmor/core/maths/philox.hpp"
#include "larmor/ground_states/arrangement.hpp"

namespace larmor::ground_states {

template <class Number>
class Replicas {
 public:
  Replicas(const Arrangement<Number>& arrangement, Index count)
      : arrangement_(&arrangement),
        numbers_(static_cast<std::size_t>(2 * count * arrangement.positions())),
        energy_(static_cast<std::size_t>(count)) {}

  /// Bytes of one replica.
  static double bytes(const Arrangement<Number>& arrangement) {
    return static_cast<double>(2 * arrangement.positions()) * sizeof(Number);
  }

  double energy(Index n) const { return energy_[static_cast<std::size_t>(n)]; }
  void add_energy(Index n, double change) { energy_[static_cast<std::size_t>(n)] += change; }
  State state(Index n) { return arrangement_->state_of(view(n)); }

  /// Sets every spin up or down with equal probability. @param of_seed number of the replica in the
  /// random key
  void randomise(Index n, std::uint64_t seed, Index of_seed);
  /// @param key random key of the first sweep
  void sweep(Index n, double temperature, const RandomKey& key, Index of_seed, Index sweeps);
  void sweep_pairs(Index n, double temperature, const RandomKey& key, Index of_seed);
  /// Descends to a local minimum, by single flips that lower the energy by more than twice
  /// `margin`.
  void descend(Index n, double margin);
  /// Recomputes fields and energy, to remove rounding errors.
  void renew(Index n) {
    energy_[static_cast<std::size_t>(n)] = arrangement_->renew_fields(view(n));
  }
  void copy(Index n, const Replicas& other, Index m);

  ReplicaView<Number> view(Index n);

 private:
  const Arrangement<Number>* arrangement_;
  std::vector<Number> numbers_;  ///< (replica, spins then fields, position)
  std::vector<double> energy_;
};

}  // namespace larmor::ground_states
