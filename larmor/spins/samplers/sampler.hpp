#pragma once
// Monte Carlo sampling of the canonical ensemble: sweeps over all sites, colour by colour. Each
// replica has its own temperature.

#include <memory>
#include <vector>

#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/samplers/update_kernels.hpp"
#include "larmor/spins/state/spin_state.hpp"
#include "larmor/tempering/exchanges.hpp"

namespace larmor::tempering {
class ReplicaExchange;
}

namespace larmor::spins {

class StencilUpdates;
struct StencilExchanges;

struct SamplerSettings {
  Update update = Update::metropolis;
  bool adaptive_cone = true;       ///< Metropolis: does tune() adapt cones? If not: whole sphere
  double target_acceptance = 0.5;  ///< acceptance to which cones are adapted
  int over_relaxation = 0;         ///< number of reflections of every spin after each update
};

/// Smallest acceptance at which the tuning of a cone may end.
inline constexpr double lowest_acceptance = 0.2;

class Sampler {
 public:
  /// @throws InternalError for a model with a long-range interaction by FFT
  Sampler(const Model& model, const SamplerSettings& settings, std::uint64_t seed,
          const ReplicaShare& replicas, const Device& device);

  /// @param thermal_energy k_B T of each replica, positive [replicas]
  void set_temperatures(const std::vector<double>& thermal_energy);
  /// Runs `sweeps` sweeps of every replica. A sweep makes one update and the reflections of every
  /// spin.
  void run(SpinState& state, Index sweeps);
  /// Runs sweeps, and exchanges replicas between them. Each exchange counts as a step of the state.
  /// This is possible only if JIT kernels can sum the energies of the updated spins.
  /// @param exchange exchange of these replicas, on the device
  /// @return false if nothing was done, because this is not possible
  bool run_exchanging(SpinState& state, Index sweeps, const tempering::ExchangeTimes& times,
                      tempering::ReplicaExchange& exchange);
  /// Runs sweeps, then adapts each cone to the measured acceptance. Call it several times during
  /// thermalisation, with a few sweeps each.
  /// @return did every replica accept at least 20% of its moves? True if cones are not adapted.
  bool tune(SpinState& state, Index sweeps);
  /// Adapts each cone to the acceptance since reset_acceptance.
  /// @return as `tune`
  bool adapt();

  /// Fraction of accepted updates since the last call of reset_acceptance. [replicas]
  std::vector<double> acceptance() const;
  void reset_acceptance();
  /// 1 - cos(half angle) of the trial cones; 2 is the whole sphere. Waits for a GPU.
  /// [padded replicas]
  std::vector<double> cones() const { return cone_.to_host(); }
  void set_cones(const std::vector<double>& cones) { cone_.copy_from(cones); }
  /// Copies cones between replicas: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);
  /// Half angles of the cones in radians. [replicas]
  std::vector<double> cone_angles() const;

  double* betas_on_device() { return beta_.data(); }
  /// The data that replicas exchange with their temperature: the temperature itself, cones, and
  /// accepted moves since reset_acceptance. The view has no energies.
  tempering::ExchangeView exchange_view();

  /// Cones and counters for checkpoints.
  std::vector<double> save() const;
  void load(const std::vector<double>& saved);

 private:
  void adapt_cones();
  /// Accepted moves, summed over all ranks that share the sites. [padded replicas]
  std::vector<std::uint64_t> accepted_of_all() const;
  SweepView view(SpinState& state) const;
  /// Updates by JIT kernels, or null if kernels must read tables.
  StencilUpdates* jit_updates();
  /// @param exchanges exchanges between the sweeps, or null
  void run_jit(StencilUpdates& jit, SpinState& state, Index sweeps,
               const StencilExchanges* exchanges);

  const Model* model_;
  SamplerSettings settings_;
  std::uint64_t seed_;
  SpinLayout layout_;
  // [padded replicas]. The host has no copies, because replicas may exchange these numbers on the
  // device.
  Array<double> beta_, cone_;
  Array<std::uint64_t> accepted_, reflected_;
  double attempted_ = 0;  ///< number of attempted moves of one replica
  std::shared_ptr<StencilUpdates> jit_updates_;
  bool asked_for_jit_updates_ = false;
};

}  // namespace larmor::spins
