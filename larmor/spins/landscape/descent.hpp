#pragma once
// One replica on its way down: a point, a direction, a length to try. Energies and fields come from
// outside, where those of all replicas are evaluated together.

#include <memory>
#include <span>

#include "larmor/core/maths/line_search.hpp"
#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class Descent {
 public:
  /// @param flattest of the line search; @param tolerance of the torque, an energy
  /// @param max_rotation largest turn of a spin in a step
  Descent(std::unique_ptr<Direction> direction, double flattest, double tolerance,
          double max_rotation, Index sites);

  /// Begins at `spins` with their energy and field.
  void start(const SiteVectors& spins, double energy, const SiteVectors& field, int threads);
  /// Before `start`, or as it was.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  bool converged() const { return size_.torque <= tolerance_; }
  /// Nothing left to do: converged, or no step leads further down.
  bool done() const { return stalled_ || converged(); }
  double energy() const { return energy_; }
  double torque() const { return size_.torque; }
  const SiteVectors& spins() const { return spins_; }

  /// The spins to be tried next.
  const SiteVectors& propose(int threads);
  /// Their energy and field.
  void receive(double energy, const SiteVectors& field, int threads);

  void save(std::vector<double>& out) const;
  /// Takes its numbers from the front of `saved`.
  void load(std::span<const double>& saved);

 private:
  void begin_search(int threads);
  void restart(int threads);
  double slope(int threads) const { return inner_product(gradient_, p_, threads); }

  std::unique_ptr<Direction> direction_;
  LineSearch search_;
  double tolerance_, max_rotation_;
  SiteVectors spins_, gradient_, p_, trial_, trial_gradient_;
  FieldSize size_;
  double energy_ = 0, slope_ = 0;
  bool fresh_ = false;  ///< is the direction from the gradient alone?
  bool stalled_ = false;
};

}  // namespace larmor::spins
