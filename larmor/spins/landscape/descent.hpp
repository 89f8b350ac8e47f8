#pragma once
// One replica on its way down: how far it turns along its direction, and where it goes next. It
// knows sums alone; the vectors lie on the device, where all replicas are worked on together.

#include <memory>
#include <span>

#include "larmor/core/maths/line_search.hpp"
#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

/// What was found after a turn.
struct Trial {
  double energy = 0;
  StepProducts products;
  double largest_gradient = 0;  ///< length of the longest of a site
  double largest_field = 0;     ///< |dE/de|
  double longest = 0;           ///< length of a site's direction, of the longest
};

class Descent {
 public:
  /// @param flattest of the line search; @param tolerance of the torque, an energy
  /// @param max_rotation largest turn of a spin in a step @param rounding of an energy, in units of
  /// the largest field
  Descent(std::unique_ptr<Direction> direction, double flattest, double tolerance,
          double max_rotation, double rounding);

  /// Begins with the spins as they are: they are evaluated where they stand.
  void start();
  /// Before `start`, or as it was.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  bool converged() const { return torque_ <= tolerance_; }
  /// Nothing left to do: converged, or no step leads further down.
  bool done() const { return !starting_ && (stalled_ || converged()); }
  double energy() const { return energy_; }
  /// Length of the longest |e x h|.
  double torque() const { return torque_; }

  /// The turn to be tried, in units of the direction; spins turn by max_rotation at most.
  double length() const { return length_; }
  /// How to go on from the trial. @param place where a step is remembered @param numbers (Advance)
  void receive(const Trial& trial, int place, std::span<double> numbers);

  void save(std::vector<double>& out) const;
  /// Takes its numbers from the front of `saved`.
  void load(std::span<const double>& saved);

 private:
  void accept(const Trial& trial);
  void restart(std::span<double> numbers);
  void set_off(const NextDirection& next, std::span<double> numbers);

  std::unique_ptr<Direction> direction_;
  LineSearch search_;
  double tolerance_, max_rotation_, rounding_;
  double energy_ = 0, torque_ = 0, field_ = 0;
  double square_ = 0;  ///< of the gradient
  double slope_ = 0;   ///< along the direction
  double length_ = 0;
  bool starting_ = true;
  bool fresh_ = false;     ///< is the direction from the gradient alone?
  bool searches_ = false;  ///< has the search along this direction begun?
  bool stalled_ = false;
};

}  // namespace larmor::spins
