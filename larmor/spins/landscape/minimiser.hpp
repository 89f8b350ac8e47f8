#pragma once
// Minimises the energy of every replica: all are evaluated together, each goes its own way and
// rests once it has converged. In a step sums come to the host once, from which it finds how each
// replica goes on, and its decisions go back once.

#include "larmor/spins/landscape/descent.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"

namespace larmor::spins {

enum class Method { lbfgs, conjugate_gradient, damped };

struct MinimiserSettings {
  Method method = Method::lbfgs;
  double tolerance = 1e-8;    ///< of the largest torque |e x h| of a replica, an energy
  double max_rotation = 0.3;  ///< of a spin in a step
};

class Minimiser {
 public:
  /// The model must outlive it.
  Minimiser(const Model& model, const SpinLayout& layout, const MinimiserSettings& settings,
            const Device& device);

  /// @param field mu_B B of a field beside the model's, an energy; takes effect with `start`
  void set_field(const Vec3<double>& field) { uniform_ = field; }

  /// Another one than the settings'. Before `start`, or as it was.
  void set_tolerance(double tolerance);

  /// Begins at the spins as they are. The energy is evaluated once.
  void start(const SpinState& state);
  /// At most `iterations` trial steps, each one evaluation of energy and field of all replicas.
  /// Stops when all are done. The energy of a replica never rises, but for rounding.
  /// @return trial steps made
  Index run(SpinState& state, Index iterations);

  bool done() const;
  /// Replicas whose largest torque is within the tolerance.
  Index converged() const;
  /// Energy per site, the uniform field's included, of each replica. [replicas]
  std::vector<double> energies() const;
  /// Largest torque |e x h| of each replica. [replicas]
  std::vector<double> torques() const;

  /// As many numbers of every replica.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  Extent active() const;
  void upload_lengths();
  void step();
  void take_trial();

  Device device_;
  double max_rotation_;
  LandscapePoint point_;
  std::unique_ptr<SpinState> trial_;
  RealArray trial_axes_;
  std::vector<Descent> descent_;
  Vec3<double> uniform_{0, 0, 0};
  Index steps_ = 0;           ///< since the start
  std::vector<double> sent_;  ///< what is on its way to the device
  Array<double> numbers_;     ///< lengths of turns, Advance (.., padded replicas)
  Array<double> sums_;        ///< longest directions, TrialSums, HistorySums (.., padded replicas)
};

/// Bytes that a minimiser works in.
double minimiser_bytes(const MinimiserSettings& settings, const SpinLayout& layout,
                       Precision precision);
/// Bytes on the host while one is saved, with a copy of its spins.
double minimiser_host_bytes(const MinimiserSettings& settings, const SpinLayout& layout);

}  // namespace larmor::spins
