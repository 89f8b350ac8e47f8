#pragma once
// The interface between parallel tempering and the replicas: an ensemble of any model kind, or
// multispin samples.

#include <memory>
#include <optional>
#include <vector>

#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/tempering/ladder_layout.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::study {

/// The ladders that a stage asks for.
struct LadderPlan {
  tempering::LadderLayout layout;  ///< that of all processes
  Index exchange_every;            ///< sweeps between exchanges
  /// Sweeps between cluster moves of copies; empty: no such moves.
  std::optional<Index> isoenergetic_every;
  std::optional<FieldRungs> fields = {};  ///< nothing: the ensemble says in which parameter rungs
                                          ///< differ
};

/// The ladders of a rank, if the rank has whole ladders.
inline RankShare ladders_of(const Ranks& ranks, Index rungs) {
  const RankShare replicas = ranks.replicas();
  return {replicas.first / rungs, replicas.own / rungs, replicas.all / rungs};
}

/// The replicas of a study on their ladders. At first replica r holds the rung
/// `layout.first_rung(r)`. After a given number of sweeps, counted through the stage, replicas
/// exchange their rungs without waiting for a GPU.
class LadderEngine {
 public:
  virtual ~LadderEngine() = default;
  virtual const OrderParameter& order_parameter() const = 0;
  virtual EnergyName energy_name() const = 0;

  /// Sets the ladder. @param values k_B T of each rung, or its coupling or field [rungs]
  virtual void set_ladder(const std::vector<double>& values) = 0;
  virtual void run(Index sweeps) = 0;
  /// The number of sweeps after which to call `tune`.
  virtual Index tuning_round() const = 0;
  /// Runs sweeps, then adapts the sampler's parameters. @return is the acceptance of every replica
  /// large enough?
  virtual bool tune(Index sweeps) = 0;
  /// Begins to count acceptance of the sampler anew.
  virtual void reset_acceptance() = 0;
  /// Numbers of the sampler, for the rung that a replica holds. [replicas of the process]
  virtual std::vector<SamplerNumber> sampler_numbers() const = 0;

  /// The rung of each replica, a whole number. [replicas of the process]
  virtual Pending rungs() const = 0;
  /// Begins to measure energy and order parameter, without waiting for a GPU.
  virtual std::vector<Pending> begin_measuring() const = 0;
  /// The sample from the numbers of begin_measuring.
  virtual EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const = 0;

  /// The state of a replica of this process, as Ensemble::configuration.
  virtual io::DataArray configuration(Index replica) const = 0;

  /// Exchanges of all ladders since reset_counts, on every rank. A collective operation.
  virtual tempering::ExchangeCounts counts() const = 0;
  virtual void reset_counts() = 0;

  /// After the last sweep: replica r again holds the rung `layout.first_rung(r)`, with the state at
  /// this rung of its ladder. A collective operation.
  virtual void prepare_next_stage() = 0;
  virtual void save(StageMemory& memory) const = 0;
  /// @param values as for set_ladder
  virtual void load(const StageMemory& memory, const std::vector<double>& values) = 0;
};

}  // namespace larmor::study
