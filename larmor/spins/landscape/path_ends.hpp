#pragma once
// The two ends of a path. They relax together; then both are turned a little, at random, and relax
// once more: a state of exact symmetry is stationary even where it is a maximum, and only one that
// comes back is a minimum. An end that relaxes further down stays there.

#include <array>

#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

class PathEnds {
 public:
  /// By how much spins turn at most, at random, before an end relaxes once more (rad).
  static constexpr double disturbance = 0.01;

  /// The model must outlive it.
  PathEnds(const Model& model, const MinimiserSettings& settings, const Device& device);

  void start(const SiteVectors& first, const SiteVectors& last);
  /// At most `iterations` steps, each one evaluation of both ends. @param seed of the disturbance
  /// @return steps made
  Index run(Index iterations, std::uint64_t seed);
  /// Ends the search: disturbed ends go back to where they had settled, unless they lie lower.
  void stop();

  /// Do both ends stay as they are now?
  bool done() const { return phase_ == Phase::done; }
  /// Have both ends come to rest within the tolerance?
  bool converged() const { return torque_[0] <= tolerance() && torque_[1] <= tolerance(); }
  /// Of the torques.
  double tolerance() const { return settings_.tolerance; }
  /// The largest torque on a spin of each end that is done, an energy.
  const std::array<double, 2>& torques() const { return torque_; }
  /// How much lower each end lies than where it had settled first; 0: it is still there.
  const std::array<double, 2>& fall() const { return fall_; }
  /// Steps made since the start.
  Index steps() const { return steps_; }
  /// Both, as two replicas.
  const SpinState& states() const { return states_; }

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  enum class Phase { relax, relax_disturbed, done };

  void note_torques();
  void disturb(std::uint64_t seed);
  void compare();

  const Model* model_;
  MinimiserSettings settings_;
  SpinState states_;
  Minimiser minimiser_;
  Phase phase_ = Phase::done;
  Index steps_ = 0;
  std::array<double, 2> torque_{}, fall_{};
  std::vector<SiteVectors> settled_;      ///< before the disturbance
  std::vector<double> settled_energies_;  ///< of both, per site
};

/// Bytes of both ends while they relax.
double path_ends_bytes(const SpinLayout& two, Precision precision);

}  // namespace larmor::spins
