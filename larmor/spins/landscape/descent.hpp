#pragma once
// The descent of one replica chooses the step length along the current direction, and the next
// direction. It reads only sums. The vectors are on the device, where all replicas are processed
// together.

#include <memory>
#include <span>

#include "larmor/core/maths/line_search.hpp"
#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

/// Results of a trial turn.
struct Trial {
  double energy = 0;
  StepProducts products;
  double largest_gradient = 0;  ///< largest gradient of a site
  double largest_field = 0;     ///< |dE/de|
  double longest = 0;           ///< largest length of a site's direction
};

class Descent {
 public:
  /// @param flattest parameter of the line search
  /// @param tolerance largest torque, an energy
  /// @param max_rotation largest rotation of a spin in one step
  /// @param rounding error of an energy, in units of the largest field
  Descent(std::unique_ptr<Direction> direction, double flattest, double tolerance,
          double max_rotation, double rounding);

  /// Starts with an evaluation of the current spins.
  void start();
  /// Call before `start`, because a converged replica does not continue.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  bool converged() const { return torque_ <= tolerance_; }
  /// True if converged, or if no step lowers the energy further.
  bool done() const { return !starting_ && (stalled_ || converged()); }
  double energy() const { return energy_; }
  /// The largest |e x h| of a spin.
  double torque() const { return torque_; }

  /// Length of the next trial turn, in units of the direction; spins turn at most by max_rotation.
  double length() const { return length_; }
  /// Decides the next turn after a trial.
  /// @param place index of the history at which the step is stored
  /// @param numbers result (Advance)
  void receive(const Trial& trial, int place, std::span<double> numbers);

  void save(std::vector<double>& out) const;
  /// Reads the numbers of this object, and removes them from the front of `saved`.
  void load(std::span<const double>& saved);

 private:
  void accept(const Trial& trial);
  void restart(std::span<double> numbers);
  void begin_search(const NextDirection& next, std::span<double> numbers);

  std::unique_ptr<Direction> direction_;
  LineSearch search_;
  double tolerance_, max_rotation_, rounding_;
  double energy_ = 0, torque_ = 0, field_ = 0;
  double square_ = 0;  ///< square of the gradient
  double slope_ = 0;   ///< slope along the direction
  double length_ = 0;
  bool starting_ = true;
  bool fresh_ = false;     ///< does the direction depend only on the gradient?
  bool searches_ = false;  ///< has the search along this direction started?
  bool stalled_ = false;
};

}  // namespace larmor::spins
