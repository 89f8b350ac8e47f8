#pragma once
// The data of every single-spin update.

#include "larmor/core/maths/philox.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// Inverse temperature and cone of each replica, and the key of the random numbers.
struct SweepView {
  ModelView model;
  Reals spins;
  const double* beta = nullptr;  ///< 1 / k_B T [padded replicas]
  const double* cone =
      nullptr;  ///< 1 - cos(half angle of the cone) [padded replicas]; 2: whole sphere
  RandomKey key{};

  friend bool operator==(const SweepView&, const SweepView&) = default;
};

}  // namespace larmor::spins
