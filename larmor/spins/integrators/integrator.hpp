#pragma once
// Landau-Lifshitz-Gilbert dynamics of all replicas with a selected scheme. The equation is in
// integrators/llg.hpp.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/integrators/steps.hpp"
#include "larmor/spins/integrators/torques.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class StencilSteps;

struct IntegratorSettings {
  Scheme scheme = Scheme::depondt;
  double timestep = 0;
  /// Factor in the precession frequency gyromagnetic_ratio / mu |dH/de| of a spin. It is 1 in
  /// reduced units. In material units it is g / hbar, with mu in mu_B.
  double gyromagnetic_ratio = 1;
  /// alpha of each canonical site, of each basis atom, or of all sites. Empty: no damping.
  std::vector<double> damping;
  std::uint64_t seed = 1;    ///< seed of the thermal field
  double tolerance = 1e-13;  ///< midpoint: root mean square change at which the iteration stops
};

class Integrator {
 public:
  /// @param model must outlive this object
  Integrator(const Model& model, const SpinLayout& layout, const IntegratorSettings& settings,
             const Device& device);

  /// @param thermal_energy k_B T of each replica; all zero: no noise
  /// @throws InternalError if there is noise and the scheme is rk4, which does not support noise
  void set_temperatures(const std::vector<double>& thermal_energy);

  /// @param geometry geometry of the model
  /// @throws InputError if a site has no neighbours along the drift velocity
  void set_torque(const SpinTransferTorque& torque, const lattice::Geometry& geometry);
  void set_torque(const PolarisationTorque& torque) { polarisation_ = torque; }

  /// Integrates `steps` steps of every replica.
  /// @param drive one entry for each step, or empty for none
  /// @throws UnphysicalError if the midpoint iteration does not converge
  void run(SpinState& state, Index steps, std::span<const StepDrive> drive = {});

  /// Largest number of samples of energy and magnetisation in one run_observed. It is 0 if the
  /// kernels cannot measure. Only JIT kernels on a GPU can measure, at almost no cost.
  Index samples_at_once(SpinState& state);
  /// Like run(), but also measures before steps 0, every, 2 every, ... There may be at most
  /// samples_at_once measurements.
  /// @return numbers for Observer::finish
  Pending run_observed(SpinState& state, Index steps, Index every,
                       std::span<const StepDrive> drive = {});

 private:
  LlgView view(SpinState& state);
  LlgView driven_view(SpinState& state, bool driven);
  /// The steps by JIT kernels, or null if kernels must read tables.
  StencilSteps* jit_steps(const LlgView& view);
  void allocate_work();

  const Model* model_;
  SpinLayout layout_;
  IntegratorSettings settings_;
  Device device_;
  RowStorage site_;
  RealArray work_[most_work_fields], long_range_;
  Array<double> root_thermal_energy_;
  bool noisy_ = false;
  std::optional<BondSums> drift_;
  double nonadiabaticity_ = 0;
  std::optional<PolarisationTorque> polarisation_;
  std::shared_ptr<StencilSteps> jit_steps_;
  bool asked_for_jit_steps_ = false;
  int midpoint_iterations_ = 0;  ///< iterations of the midpoint rule in the last step
};

}  // namespace larmor::spins
