#pragma once
// What replicas give each other when they exchange their rungs. Plain data, for kernels.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// All of it lies where the kernels of the replicas run. Its numbers are there once everything
/// launched before is done.
struct ExchangeView {
  /// Of each replica as a whole, not per site; or what else beta multiplies [replica]
  const double* energy = nullptr;
  /// What the energy is multiplied by in the weight exp(-beta energy): 1 / k_B T, a coupling, or a
  /// field [replica]
  double* beta = nullptr;
  /// What the sampler has tuned for a rung [replica][tuned_numbers]
  double* tuned = nullptr;
  Index tuned_numbers = 0;  ///< of a replica
  /// What the sampler has counted at a rung [replica]; null: nothing
  std::uint64_t* accepted = nullptr;

  friend bool operator==(const ExchangeView&, const ExchangeView&) = default;
};

}  // namespace larmor::tempering
