#pragma once
// When a ladder is moved in thermalisation, and how: rounds of growing length, at the end of each
// of which the exchanges that were counted say where rungs are to be. The last part of
// thermalisation leaves the ladder as it is.

#include <vector>

#include "larmor/study/tempering/ladder_choice.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::study {

/// Of all ladders together. @param ladders how many
tempering::PairRates rates_of(const tempering::ExchangeCounts& counts, Index rungs, Index ladders);

class LadderTuning {
 public:
  /// @param thermalisation sweeps
  LadderTuning(const LadderChoice& choice, Index thermalisation);

  /// The sweep after which the ladder is moved next; `thermalisation` if it is not.
  Index next(Index sweeps) const;
  bool moves_after(Index sweeps) const;
  /// @param counts since it was moved last @param sweeps after which `moves_after` is true
  std::vector<double> moved(Index sweeps, const std::vector<double>& ladder,
                            const tempering::ExchangeCounts& counts, Index ladders) const;

 private:
  struct Round {
    Index end;  ///< sweeps
    bool by_flow;
  };

  tempering::RungScale scale_;
  Index thermalisation_;
  std::vector<Round> rounds_;
};

}  // namespace larmor::study
