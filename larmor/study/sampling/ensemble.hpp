#pragma once
// The interface through which Monte Carlo stages sample any model kind.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/tempering/exchanges.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::study {

using tempering::ExchangeView;

/// The order parameter of a transition, a vector of some components, per site.
struct OrderParameter {
  std::string name;  ///< name of series and averages
  std::string unit;
  Index components = 1;              ///< 0: the ensemble has no order parameter
  double susceptibility_factor = 1;  ///< factor from unit^2 / energy to the unit of the
                                     ///< susceptibility
  std::string susceptibility_unit;
};

/// The names of an energy and of its variance over (k_B T)^2.
struct EnergyName {
  std::string name = "energy", fluctuation = "specific_heat", fluctuation_unit = "k_B";
};

/// A coupling of replicas without a temperature: weights are exp(-energy).
struct Coupling {
  std::string name;
  std::vector<double> values;  ///< one for each rung of the system's ladder
};

/// Rungs that differ in a field, added to that of the Hamiltonian, at one temperature.
struct FieldRungs {
  double thermal_energy;       ///< k_B T
  std::vector<double> fields;  ///< one for each rung; the initial ones if the ladder is tuned
  bool is_tuned;
  Vec3<double> direction;  ///< direction of vector fields, of length 1
  friend bool operator==(const FieldRungs&, const FieldRungs&) = default;
};

/// Values of every replica at one moment, per site.
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
  Index a, b;  ///< replicas of the process
  std::uint32_t random;
};

/// The replicas of a process, each at its own temperature or couplings.
class Ensemble {
 public:
  virtual ~Ensemble() = default;
  virtual const OrderParameter& order_parameter() const = 0;
  virtual EnergyName energy_name() const { return {}; }
  /// Empty: replicas have temperatures.
  virtual std::vector<Coupling> couplings() const { return {}; }

  /// Draws the state of every replica anew, each site uniformly among all its states: infinite
  /// temperature. @return ln of the number of states of a replica, or of their measure
  virtual double begin_at_infinite_temperature() {
    throw InternalError("an ensemble has no infinite temperature");
  }
  /// The state of a replica of this process as in System::configurations, (sites, ...). A
  /// collective operation if ranks share sites.
  virtual io::DataArray configuration(Index replica) const = 0;
  /// Makes replicas copies of others, with the tuned parameters of the sampler, on the device.
  /// Measurements in progress do not change.
  /// @param copies between this process's replicas, in place: no `to` is another's `from`
  virtual void copy_replicas(std::span<const ReplicaCopy> copies) = 0;

  /// Makes a cluster move in each pair that conserves the total energy of the pair, if the sampler
  /// has such moves. No replica is in two pairs.
  virtual void move_isoenergetically(std::span<const CopiesToMove>) {
    throw InternalError("an ensemble has no isoenergetic moves");
  }

  /// @param thermal_energy k_B T of each replica, positive [replicas]
  virtual void set_temperatures(const std::vector<double>& thermal_energy) = 0;
  /// For rungs that differ in a coupling or in a field, which exchange_view has as beta.
  /// @param coupling one for each replica [replicas]
  virtual void set_couplings(const std::vector<double>& coupling) {
    static_cast<void>(coupling);
    throw InternalError("an ensemble has no couplings to set");
  }
  virtual void run(Index sweeps) = 0;
  /// Runs sweeps, then adapts the sampler's parameters. @return is the acceptance of every replica
  /// large enough?
  virtual bool tune(Index sweeps) = 0;
  /// Adapts the sampler's parameters to the acceptance since reset_acceptance.
  /// @return is the acceptance of every replica large enough?
  virtual bool adapt() { return true; }
  /// The number of sweeps of a ladder after which to call `adapt`.
  virtual Index tuning_round() const { return 10; }
  /// Begins to count acceptance anew.
  virtual void reset_acceptance() = 0;
  /// The acceptance, then the tuned parameters.
  virtual std::vector<SamplerNumber> sampler_numbers() const = 0;

  /// Begins to measure energy and order parameter, without waiting for a GPU.
  virtual std::vector<Pending> begin_measuring() const = 0;
  /// The sample from the numbers of begin_measuring.
  virtual EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const = 0;

  /// Begins to measure the energy of every replica, without waiting for a GPU. Returns pointers for
  /// a ReplicaExchange to the energies and to the parameters that belong to a temperature. Changes
  /// there count from the next sweep on. After an exchange of temperatures, tune, adapt,
  /// sampler_numbers, prepare_next_stage and save use the parameters of the present temperature of
  /// each replica. The view is valid until the next use of the ensemble.
  virtual ExchangeView exchange_view() = 0;
  /// Called after an exchange has changed the parameters in the view.
  virtual void finish_exchange() {}
  /// Makes sweeps and exchanges between sweeps. This is equivalent to `run` and
  /// ReplicaExchange::propose in alternation, but may be faster.
  /// @param exchange exchange of the replicas of this process, on their device
  /// @param step that of the system; each exchange is a step of its own
  virtual void run_exchanging(Index sweeps, tempering::ExchangeTimes times,
                              tempering::ReplicaExchange& exchange, UpdateCounter& step);

  /// After the last sweep: leaves the tuned parameters to the next stage.
  virtual void prepare_next_stage() {}
  virtual void save(StageMemory& memory, const Ranks& ranks) const = 0;
  virtual void load(const StageMemory& memory, const Ranks& ranks) = 0;
};

class LadderEngine;
struct LadderPlan;

/// The way in which a stage samples a model kind, from the keys of the sampler.
class SamplerChoice {
 public:
  virtual ~SamplerChoice() = default;
  /// "heat-bath, 2 over-relaxations a sweep"
  virtual std::string description() const = 0;
  /// The method that updates sites. Equal methods take about as long for an update.
  virtual std::string engine(const Study& study) const {
    static_cast<void>(study);
    return description();
  }
  /// Updates of a site in a sweep.
  virtual double updates_per_sweep() const { return 1; }
  /// @throws InputError for a system that this sampler cannot sample
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// Does the sampler have cluster moves that conserve the total energy of two replicas?
  virtual bool moves_isoenergetically() const { return false; }
  /// Does the sampler need a replica's whole lattice? If it does, ranks cannot share the lattice.
  virtual bool needs_whole_lattice() const { return false; }
  /// The memory for updates, and for measuring energy and order parameter.
  virtual StageBytes forecast(const Sizing& sizing) const {
    static_cast<void>(sizing);
    return {};
  }
  /// The advice of `check` on this system.
  virtual std::vector<Advice> advice(const Simulation& simulation) const {
    static_cast<void>(simulation);
    return {};
  }
  /// Components of the order parameter.
  virtual Index order_components(const Sizing& sizing) const {
    static_cast<void>(sizing);
    return 1;
  }
  /// @param simulation outlives it
  virtual std::unique_ptr<Ensemble> make(const Simulation& simulation) const = 0;
  /// An ensemble at one temperature whose replicas differ in a field, for stages with the key
  /// `field`.
  /// @param simulation outlives it
  virtual std::unique_ptr<Ensemble> make_at_fields(const Simulation& simulation,
                                                   const FieldRungs& rungs) const {
    static_cast<void>(simulation), static_cast<void>(rungs);
    throw InternalError("a sampler has no fields that differ by replica");
  }
  /// Called before the results are begun. @throws InputError for ladders that ranks cannot share
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
