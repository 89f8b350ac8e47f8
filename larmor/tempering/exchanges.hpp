#pragma once
// The sweeps after which replicas exchange their rungs, and the numbers that they swap: plain data
// for kernels.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// An exchange follows the future sweeps `first`, `first` + `every`, ..., counted from 1. The
/// parity of an exchange is that of the lowest rung that it pairs, 0 or 1. The parities alternate.
struct ExchangeTimes {
  Index first = 1, every = 1;
  int parity = 0;  ///< parity of the first exchange

  /// Number of exchanges in this many sweeps.
  Index count(Index sweeps) const { return sweeps < first ? 0 : 1 + (sweeps - first) / every; }
  /// The times of the exchanges that remain after this many sweeps, counted anew.
  ExchangeTimes after(Index sweeps) const {
    const Index exchanges = count(sweeps);
    return {first + exchanges * every - sweeps, every, static_cast<int>((parity + exchanges) % 2)};
  }
};

/// Numbers of an ensemble that an exchange reads and swaps. All arrays are on the device of the
/// replicas. Their numbers are valid once all earlier launches are done.
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
