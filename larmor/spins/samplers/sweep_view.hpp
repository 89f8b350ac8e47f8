#pragma once
// What every single-spin update needs.

#include "larmor/core/maths/philox.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// One replica's inverse temperature and cone, and where its random numbers come from.
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
