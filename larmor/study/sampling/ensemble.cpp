#include "larmor/study/sampling/ensemble.hpp"

#include <algorithm>

#include "larmor/study/sampling/ladder_engine.hpp"

namespace larmor::study {

void Ensemble::run_exchanging(Index sweeps, tempering::ExchangeTimes times,
                              tempering::ReplicaExchange& exchange, UpdateCounter& step) {
  while (sweeps > 0) {
    const Index some = std::min(sweeps, times.first);
    run(some);
    if (some == times.first) {
      exchange.propose(times.parity, step++, exchange_view());
      finish_exchange();
    }
    times = times.after(some);
    sweeps -= some;
  }
}

std::unique_ptr<LadderEngine> SamplerChoice::make_ladder(const Simulation&,
                                                         const LadderPlan&) const {
  return nullptr;
}

}  // namespace larmor::study
