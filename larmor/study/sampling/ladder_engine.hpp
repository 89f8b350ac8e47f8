#pragma once
// What parallel tempering needs of whoever holds its replicas: an ensemble of any matter, or spins
// of many samples a bit each.

#include <memory>
#include <optional>
#include <vector>

#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/tempering/ladder_layout.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::study {

/// How a stage wants them.
struct LadderPlan {
  tempering::LadderLayout layout;  ///< of all processes
  Index exchange_every;            ///< sweeps between exchanges
  /// Sweeps between cluster moves of copies; empty: there are no such moves.
  std::optional<Index> isoenergetic_every;
  std::optional<FieldRungs> fields = {};  ///< nothing: rungs differ in what the ensemble says
};

/// Those that a rank has, where it has whole ones.
inline RankShare ladders_of(const Ranks& ranks, Index rungs) {
  const RankShare replicas = ranks.replicas();
  return {replicas.first / rungs, replicas.own / rungs, replicas.all / rungs};
}

/// The replicas of a study on their ladders. At first replica r holds the rung
/// `layout.first_rung(r)`. After every so many sweeps, counted through the stage, replicas exchange
/// their rungs; nothing waits for a GPU then.
class LadderEngine {
 public:
  virtual ~LadderEngine() = default;
  virtual const OrderParameter& order_parameter() const = 0;
  virtual EnergyName energy_name() const = 0;

  /// The ladder from now on. @param values k_B T of each rung, or its coupling or field [rungs]
  virtual void set_ladder(const std::vector<double>& values) = 0;
  virtual void run(Index sweeps) = 0;
  /// Sweeps that are worth a call of `tune`.
  virtual Index tuning_round() const = 0;
  /// The same, then adapts what the sampler tunes. @return accepts every replica enough?
  virtual bool tune(Index sweeps) = 0;
  /// Acceptance of the sampler is counted from now on.
  virtual void reset_acceptance() = 0;
  /// Of the sampler, with the rung that a replica holds. [replicas of the process]
  virtual std::vector<SamplerNumber> sampler_numbers() const = 0;

  /// The rung of each replica, a whole number. [replicas of the process]
  virtual Pending rungs() const = 0;
  /// Begins to measure energy and order parameter, without waiting for a GPU.
  virtual std::vector<Pending> begin_measuring() const = 0;
  /// What the numbers mean that begin_measuring promised.
  virtual EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const = 0;

  /// The state of a replica of this process, as Ensemble has it.
  virtual io::DataArray configuration(Index replica) const = 0;

  /// Exchanges of all ladders since reset_counts, on every rank. All ranks come together.
  virtual tempering::ExchangeCounts counts() const = 0;
  virtual void reset_counts() = 0;

  /// After the last sweep: replica r holds the rung `layout.first_rung(r)` again, with the state
  /// that was at this rung of its ladder. All ranks come together.
  virtual void hand_on() = 0;
  virtual void save(StageMemory& memory) const = 0;
  /// @param values as for set_ladder
  virtual void load(const StageMemory& memory, const std::vector<double>& values) = 0;
};

}  // namespace larmor::study
