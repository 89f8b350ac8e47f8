#pragma once
// Minimises the energy of every replica. All replicas are evaluated together. Each replica moves
// independently and stops when it has converged. In each step, sums are copied once to the host.
// The host decides how each replica continues, and copies the decisions back once.

#include "larmor/spins/landscape/descent.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"

namespace larmor::spins {

enum class Method { lbfgs, conjugate_gradient, damped };

struct MinimiserSettings {
  Method method = Method::lbfgs;
  double tolerance = 1e-8;    ///< limit of the largest torque |e x h| of a replica, an energy
  double max_rotation = 0.3;  ///< largest rotation of a spin in one step
};

class Minimiser {
 public:
  /// @param model must outlive this object
  Minimiser(const Model& model, const SpinLayout& layout, const MinimiserSettings& settings,
            const Device& device);

  /// @param field mu_B B of a field in addition to the model, an energy; takes effect at `start`
  void set_field(const Vec3<double>& field) { uniform_ = field; }

  /// Replaces the tolerance of the settings. Call before `start`, because converged replicas do not
  /// continue.
  void set_tolerance(double tolerance);

  /// Starts from the current spins. The energy is evaluated once.
  void start(const SpinState& state);
  /// Runs at most `iterations` trial steps, each with one evaluation of energy and field of all
  /// replicas. Ends when all replicas are done. The energy of a replica never rises, except for
  /// rounding.
  /// @return how many trial steps were made
  Index run(SpinState& state, Index iterations);

  bool done() const;
  /// Number of replicas whose largest torque is within the tolerance.
  Index converged() const;
  /// Energy per site of each replica, with the uniform field. [replicas]
  std::vector<double> energies() const;
  /// Largest torque |e x h| of each replica. [replicas]
  std::vector<double> torques() const;

  /// The data of a checkpoint, with equal counts of numbers for every replica.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  Extent active() const;
  void upload_lengths();
  void step();
  void adopt_trial();

  Device device_;
  double max_rotation_;
  LandscapePoint point_;
  std::unique_ptr<SpinState> trial_;
  RealArray trial_axes_;
  std::vector<Descent> descent_;
  Vec3<double> uniform_{0, 0, 0};
  Index steps_ = 0;           ///< since the start
  std::vector<double> sent_;  ///< upload in progress
  Array<double> numbers_;     ///< lengths of turns, Advance (.., padded replicas)
  Array<double> sums_;        ///< longest directions, TrialSums, HistorySums (.., padded replicas)
};

/// Bytes of a minimiser.
double minimiser_bytes(const MinimiserSettings& settings, const SpinLayout& layout,
                       Precision precision);
/// Bytes on the host while a minimiser is saved, with a copy of its spins.
double minimiser_host_bytes(const MinimiserSettings& settings, const SpinLayout& layout);

}  // namespace larmor::spins
