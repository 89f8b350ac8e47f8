#pragma once
// What tells one minimiser from another: the direction in which all spins of a replica turn next.
// It is a sum of the old direction, the gradient, and steps and changes of the gradient in the
// past; a Direction says how much of each. The vectors themselves lie on the device, all carried to
// where the spins are.

#include <array>
#include <span>
#include <vector>

#include "larmor/spins/landscape/landscape_kernels.hpp"

namespace larmor::spins {

using OfHistory = std::array<double, history_length>;

/// How much of each vector a new direction has.
struct NextDirection {
  double of_direction = 0, of_gradient = 0;
  OfHistory of_step{}, of_change{};
  /// Times the step just made, added to the change of the gradient that is remembered.
  double reflects = 0;
  double slope = 0;   ///< gradient.direction
  double square = 0;  ///< direction.direction
};

/// Inner products after a turn from the gradient g to g' along p, y = g' - g.
struct TurnProducts {
  double slope = 0;             ///< g'.p
  double square = 0;            ///< g'.g'
  double along_change = 0;      ///< g'.y
  double change_square = 0;     ///< y.y
  double curvature = 0;         ///< y.p
  double direction_square = 0;  ///< p.p
  /// With the steps s and changes c of the past.
  OfHistory direction_step{}, direction_change{}, change_step{}, change_change{};
};

/// A turn just accepted.
struct AcceptedTurn {
  double length;      ///< gone along the direction
  double old_slope;   ///< along the direction, before
  double old_square;  ///< of the gradient, before
  int place;          ///< where the step is remembered
  const TurnProducts& products;
};

class Direction {
 public:
  virtual ~Direction() = default;

  /// Forgets the past: a direction down from the gradient alone.
  /// @param square of the gradient @param stiffness an upper estimate of the energy's second
  /// derivative
  virtual NextDirection restart(double square, double stiffness) = 0;
  virtual NextDirection next(const AcceptedTurn& turn) = 0;
  /// The length to try first along a direction.
  virtual double first_length(const NextDirection& direction) const = 0;

  virtual void save(std::vector<double>& out) const = 0;
  /// Takes its numbers from the front of `saved`.
  virtual void load(std::span<const double>& saved) = 0;
};

}  // namespace larmor::spins
