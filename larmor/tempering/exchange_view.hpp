#pragma once
// Numbers that replicas swap when they exchange their rungs: plain data for kernels.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// All arrays are on the device of the replicas. Their numbers are valid once all earlier launches
/// are done.
struct ExchangeView {
  /// Total energy of each replica, not per site, or another quantity that beta multiplies [replica]
  const double* energy = nullptr;
  /// Factor of the energy in the weight exp(-beta energy): 1 / k_B T, a coupling, or a field
  /// [replica]
  double* beta = nullptr;
  /// Numbers that the sampler has tuned for a rung [replica][tuned_numbers]
  double* tuned = nullptr;
  Index tuned_numbers = 0;  ///< per replica
  /// Moves that the sampler has accepted at a rung [replica]; null if it counts none
  std::uint64_t* accepted = nullptr;

  friend bool operator==(const ExchangeView&, const ExchangeView&) = default;
};

}  // namespace larmor::tempering
