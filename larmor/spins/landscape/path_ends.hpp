#pragma once
// The two ends of a path. Both are minimised together. After that they are perturbed at random and
// minimised again, because a state of exact symmetry is stationary even at a maximum. If an end
// finds a lower state after the perturbation, it stays at this state. Otherwise it was at a
// minimum.

#include <array>

#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

class PathEnds {
 public:
  /// Largest random rotation of spins (rad) before an end is minimised again.
  static constexpr double disturbance = 0.01;

  /// @param model must outlive this object
  PathEnds(const Model& model, const MinimiserSettings& settings, const Device& device);

  void start(const SiteVectors& first, const SiteVectors& last);
  /// Runs at most `iterations` steps, each with one evaluation of both ends.
  /// @param seed seed of the disturbance
  /// @return how many steps were made
  Index run(Index iterations, std::uint64_t seed);
  /// Ends the search. If a disturbed end is not lower now, it returns to the minimum found before.
  void stop();

  /// Are both ends final?
  bool done() const { return phase_ == Phase::done; }
  /// Have both ends converged within the tolerance?
  bool converged() const { return torque_[0] <= tolerance() && torque_[1] <= tolerance(); }
  /// Tolerance of the torques.
  double tolerance() const { return settings_.tolerance; }
  /// The largest torque on a spin of each finished end, an energy.
  const std::array<double, 2>& torques() const { return torque_; }
  /// Energy by which each end lies below its first minimum; 0 if the end is at this minimum.
  const std::array<double, 2>& fall() const { return fall_; }
  /// Number of steps since the start.
  Index steps() const { return steps_; }
  /// Both ends, as two replicas.
  const SpinState& states() const { return states_; }

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  enum class Phase { relax, relax_disturbed, done };

  void store_torques();
  void disturb(std::uint64_t seed);
  void compare();

  const Model* model_;
  MinimiserSettings settings_;
  SpinState states_;
  Minimiser minimiser_;
  Phase phase_ = Phase::done;
  Index steps_ = 0;
  std::array<double, 2> torque_{}, fall_{};
  std::vector<SiteVectors> minima_;       ///< states before the disturbance
  std::vector<double> minimum_energies_;  ///< energies of both ends, per site
};

/// Bytes of both ends during minimisation.
double path_ends_bytes(const SpinLayout& two, Precision precision);

}  // namespace larmor::spins
