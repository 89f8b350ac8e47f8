#pragma once
// What Monte Carlo needs of any matter. Stages that sample equilibrium are written against it once.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/tempering/exchange_view.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::study {

using tempering::ExchangeView;

/// What tells phases apart, a vector of some components, per site.
struct OrderParameter {
  std::string name;  ///< of series and averages
  std::string unit;
  Index components = 1;
  double susceptibility_factor = 1;  ///< from unit^2 / energy to the unit of the susceptibility
  std::string susceptibility_unit;
};

/// What an energy is called, and its variance over (k_B T)^2.
struct EnergyName {
  std::string name = "energy", fluctuation = "specific_heat", fluctuation_unit = "k_B";
};

/// What replicas have where they have no temperature: weights are exp(-energy).
struct Coupling {
  std::string name;
  std::vector<double> values;  ///< of each rung of the system's ladder
};

/// Rungs of a ladder that differ in a field, on top of that of the Hamiltonian, at one temperature.
struct FieldRungs {
  double thermal_energy;       ///< k_B T
  std::vector<double> fields;  ///< of the rungs; of a ladder that is tuned, those it starts with
  bool is_tuned;
  Vec3<double> direction;  ///< of fields that have one, of length 1
  friend bool operator==(const FieldRungs&, const FieldRungs&) = default;
};

/// Of every replica at one instant, per site.
struct EnsembleSample {
  std::vector<double> energy;  ///< [replica]
  std::vector<double> order;   ///< [replica][component]
};

/// A number of every replica that a sampler counts or tunes.
struct SamplerNumber {
  std::string name, unit;
  std::vector<double> values;  ///< [replica]
};

/// Two replicas of one sample at one temperature, between which clusters are moved.
struct CopiesToMove {
  Index a, b;  ///< of the process
  std::uint32_t random;
};

/// The replicas of a process, each at a temperature or at couplings of its own.
class Ensemble {
 public:
  virtual ~Ensemble() = default;
  virtual const OrderParameter& order_parameter() const = 0;
  virtual EnergyName energy_name() const { return {}; }
  /// Empty: replicas have temperatures.
  virtual std::vector<Coupling> couplings() const { return {}; }

  /// Draws the state of every replica anew, each site uniformly among all states that it may have:
  /// that is infinite temperature. @return ln of how many states a replica has, or of their measure
  virtual double begin_at_infinite_temperature() {
    throw InternalError("an ensemble has no infinite temperature");
  }
  /// The state of a replica of this process as System::configurations has it, (sites, ...). Where
  /// ranks share sites, all of them come together.
  virtual io::DataArray configuration(Index replica) const = 0;
  /// Replicas become copies of others, with what the sampler has tuned for them, on the device.
  /// Measurements that are under way are not changed.
  /// @param copies in place: no `to` is another's `from`; of this process's replicas
  virtual void copy_replicas(std::span<const ReplicaCopy> copies) = 0;

  /// A cluster move in each pair that keeps the energy of its replicas together, where the sampler
  /// says that there are such moves. No replica is in two pairs.
  virtual void move_isoenergetically(std::span<const CopiesToMove>) {
    throw InternalError("an ensemble has no isoenergetic moves");
  }

  /// @param thermal_energy k_B T of each replica, positive [replicas]
  virtual void set_temperatures(const std::vector<double>& thermal_energy) = 0;
  /// Of those whose rungs differ in a coupling or in a field, which exchange_view has as beta.
  /// @param coupling of each replica [replicas]
  virtual void set_couplings(const std::vector<double>& coupling) {
    static_cast<void>(coupling);
    throw InternalError("an ensemble has no couplings to set");
  }
  virtual void run(Index sweeps) = 0;
  /// The same, then adapts what the sampler tunes. @return accepts every replica enough?
  virtual bool tune(Index sweeps) = 0;
  /// Adapts what the sampler tunes to the acceptance since reset_acceptance.
  /// @return accepts every replica enough?
  virtual bool adapt() { return true; }
  /// Acceptance is counted from now on.
  virtual void reset_acceptance() = 0;
  /// Acceptance, then what is tuned.
  virtual std::vector<SamplerNumber> sampler_numbers() const = 0;

  /// Begins to measure energy and order parameter, without waiting for a GPU.
  virtual std::vector<Pending> begin_measuring() const = 0;
  /// What the numbers mean that begin_measuring promised.
  virtual EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const = 0;

  /// Begins to measure the energy of every replica, without waiting for a GPU, and says where that
  /// and what belongs to a replica's temperature lie, for a ReplicaExchange. What this changes
  /// there counts from the next sweep on: tune, adapt, sampler_numbers, hand_on and save find with
  /// each replica what belongs to the temperature that it has by then. The view is good until the
  /// ensemble is used again.
  virtual ExchangeView exchange_view() = 0;
  /// Sweeps, with exchanges among them: does what `run` and ReplicaExchange::propose would do in
  /// turn, and may do it faster.
  /// @param exchange of the replicas of this process, on their device
  /// @param step that of the system; each exchange is a step of its own
  virtual void run_exchanging(Index sweeps, tempering::ExchangeTimes times,
                              tempering::ReplicaExchange& exchange, UpdateCounter& step);

  /// After the last sweep: leaves to the next stage what was tuned.
  virtual void hand_on() {}
  virtual void save(StageMemory& memory, const Ranks& ranks) const = 0;
  virtual void load(const StageMemory& memory, const Ranks& ranks) = 0;
};

class LadderEngine;
struct LadderPlan;

/// How a stage samples a model kind: what its sampler's keys say.
class SamplerChoice {
 public:
  virtual ~SamplerChoice() = default;
  /// "heat-bath, 2 over-relaxations a sweep"
  virtual std::string words() const = 0;
  /// What updates sites. An update takes about as long where two choices say the same.
  virtual std::string engine(const Study& study) const {
    static_cast<void>(study);
    return words();
  }
  /// Updates of a site in a sweep.
  virtual double updates_per_sweep() const { return 1; }
  /// @throws InputError for a system that cannot be sampled so
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// Are there cluster moves that keep the energy of two replicas together?
  virtual bool moves_isoenergetically() const { return false; }
  /// Does it take a replica's whole lattice at a time? Then ranks cannot share it.
  virtual bool needs_whole_lattice() const { return false; }
  /// What updates, and measuring energy and order parameter, need.
  virtual StageBytes forecast(const Sizing& sizing) const {
    static_cast<void>(sizing);
    return {};
  }
  /// What `check` says of it on this system.
  virtual std::vector<Advice> advice(const Simulation& simulation) const {
    static_cast<void>(simulation);
    return {};
  }
  /// Of the order parameter.
  virtual Index order_components(const Sizing& sizing) const {
    static_cast<void>(sizing);
    return 1;
  }
  /// @param simulation outlives it
  virtual std::unique_ptr<Ensemble> make(const Simulation& simulation) const = 0;
  /// Replicas at one temperature, which differ in a field; where the stage has the key for it.
  /// @param simulation outlives it
  virtual std::unique_ptr<Ensemble> make_at_fields(const Simulation& simulation,
                                                   const FieldRungs& rungs) const {
    static_cast<void>(simulation), static_cast<void>(rungs);
    throw InternalError("a sampler has no fields that differ by replica");
  }
  /// Before the results are begun. @throws InputError for ladders that ranks cannot share so
  virtual void require_ladder(const Simulation& simulation, const LadderPlan& plan) const {
    static_cast<void>(simulation);
    static_cast<void>(plan);
  }
  /// Ladders that are updated and exchanged together; null: replicas of an ensemble exchange their
  /// rungs. @param simulation outlives it
  virtual std::unique_ptr<LadderEngine> make_ladder(const Simulation& simulation,
                                                    const LadderPlan& plan) const;
};

}  // namespace larmor::study
