#pragma once
// After which sweeps replicas exchange their rungs.

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// An exchange follows the sweeps `first`, `first` + `every`, ... of those to come, counted from 1.
/// Either parity comes in turn.
struct ExchangeTimes {
  Index first = 1, every = 1;
  int parity = 0;  ///< of the first one

  /// Exchanges among so many sweeps.
  Index count(Index sweeps) const { return sweeps < first ? 0 : 1 + (sweeps - first) / every; }
  /// The times as they are seen after so many sweeps and the exchanges among them.
  ExchangeTimes after(Index sweeps) const {
    const Index exchanges = count(sweeps);
    return {first + exchanges * every - sweeps, every, static_cast<int>((parity + exchanges) % 2)};
  }
};

}  // namespace larmor::tempering
