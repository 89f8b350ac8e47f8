#pragma once
// The sweeps after which replicas exchange their rungs.

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// An exchange follows the future sweeps `first`, `first` + `every`, ..., counted from 1. The
/// parities alternate.
struct ExchangeTimes {
  Index first = 1, every = 1;
  int parity = 0;  ///< parity of the first exchange

  /// Number of exchanges in so many sweeps.
  Index count(Index sweeps) const { return sweeps < first ? 0 : 1 + (sweeps - first) / every; }
  /// The times counted anew after so many sweeps and their exchanges.
  ExchangeTimes after(Index sweeps) const {
    const Index exchanges = count(sweeps);
    return {first + exchanges * every - sweeps, every, static_cast<int>((parity + exchanges) % 2)};
  }
};

}  // namespace larmor::tempering
