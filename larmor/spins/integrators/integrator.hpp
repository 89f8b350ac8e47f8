#pragma once
// Landau-Lifshitz-Gilbert dynamics of all replicas by a scheme of choice; the equation stands in
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
  /// gamma over the energy of a moment in a unit field: a spin precesses at ratio / mu * |dH/de|.
  /// 1 in reduced units, g / hbar in material ones.
  double gyromagnetic_ratio = 1;
  /// alpha of canonical sites, of the atoms of the basis, or one for all; empty: no damping
  std::vector<double> damping;
  std::uint64_t seed = 1;    ///< of the thermal field
  double tolerance = 1e-13;  ///< midpoint: root mean square change of a spin at which it stops
};

class Integrator {
 public:
  /// The model must outlive it.
  Integrator(const Model& model, const SpinLayout& layout, const IntegratorSettings& settings,
             const Device& device);

  /// @param thermal_energy k_B T of each replica; all zero: no noise
  /// @throws InternalError for noise with rk4, which has none
  void set_temperatures(const std::vector<double>& thermal_energy);

  /// @param geometry of the model
  /// @throws InputError when nothing lies along the drift velocity
  void set_torque(const SpinTransferTorque& torque, const lattice::Geometry& geometry);
  void set_torque(const PolarisationTorque& torque) { polarisation_ = torque; }

  /// `steps` steps of every replica. @param drive one entry a step, or empty: none
  /// @throws UnphysicalError when the midpoint iteration does not converge
  void run(SpinState& state, Index steps, std::span<const StepDrive> drive = {});

  /// How many samples of energy and magnetisation steps can take as they go, at hardly any cost, in
  /// one run_observed; 0: they cannot. They do on a GPU where kernels are compiled for the model.
  Index samples_at_once(SpinState& state);
  /// run() that measures before steps 0, every, 2 every, ..., at most samples_at_once times.
  /// @return for Observer::finish
  Pending run_observed(SpinState& state, Index steps, Index every,
                       std::span<const StepDrive> drive = {});

 private:
  LlgView view(SpinState& state);
  LlgView driven_view(SpinState& state, bool driven);
  /// Steps by JIT kernels; null: tables are to be used.
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
  bool asked_for_made_steps_ = false;
  int midpoint_iterations_ = 0;  ///< of the implicit midpoint rule, in the last step
};

}  // namespace larmor::spins
