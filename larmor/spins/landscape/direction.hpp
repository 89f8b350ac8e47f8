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
struct StepProducts {
  double slope = 0;             ///< g'.p
  double square = 0;            ///< g'.g'
  double along_change = 0;      ///< g'.y
  double change_square = 0;     ///< y.y
  double curvature = 0;         ///< y.p
  double direction_square = 0;  ///< p.p
  /// With the steps s and changes c of the past.
  OfHistory direction_step{}, direction_change{}, change_step{}, change_change{};

  StepProducts& operator+=(const StepProducts& other) {
    slope += other.slope;
    square += other.square;
    along_change += other.along_change;
    change_square += other.change_square;
    curvature += other.curvature;
    direction_square += other.direction_square;
    for (std::size_t k = 0; k < history_length; ++k) {
      direction_step[k] += other.direction_step[k];
      direction_change[k] += other.direction_change[k];
      change_step[k] += other.change_step[k];
      change_change[k] += other.change_change[k];
    }
    return *this;
  }
};

/// Those of the sums of a step. @param turn of TurnSums, history of HistorySums: functions of their
/// number @param learns is there a history?
template <class Turn, class History>
StepProducts products_of(const Turn& turn, const History& history, bool learns) {
  StepProducts products{turn(turn_slope),
                        turn(turn_square),
                        turn(turn_along_change),
                        turn(turn_change_square),
                        turn(turn_curvature),
                        turn(turn_direction_square),
                        {},
                        {},
                        {},
                        {}};
  for (int k = 0; learns && k < history_length; ++k) {
    const auto n = static_cast<std::size_t>(k);
    products.direction_step[n] = history(history_direction_step + k);
    products.direction_change[n] = history(history_direction_change + k);
    products.change_step[n] = history(history_change_step + k);
    products.change_change[n] = history(history_change_change + k);
  }
  return products;
}

/// The direction down the gradient alone, `rate` times it.
inline NextDirection down_the_gradient(double rate, double square) {
  NextDirection next;
  next.of_gradient = -rate;
  next.slope = -rate * square;
  next.square = rate * rate * square;
  return next;
}

/// A new direction as numbers (Advance). @param set (number of Advance, value)
template <class Set>
void set_direction(const NextDirection& next, const Set& set) {
  set(advance_renews, 1);
  set(advance_direction, next.of_direction);
  set(advance_gradient, next.of_gradient);
  for (int k = 0; k < history_length; ++k) {
    set(advance_step + k, next.of_step[static_cast<std::size_t>(k)]);
    set(advance_change + k, next.of_change[static_cast<std::size_t>(k)]);
  }
}

/// A turn just accepted.
struct AcceptedStep {
  double length;      ///< gone along the direction
  double old_slope;   ///< along the direction, before
  double old_square;  ///< of the gradient, before
  int place;          ///< where the step is remembered
  const StepProducts& products;
  double stiffness = 0;  ///< after it; for velocity projection, as of `restart`
};

class Direction {
 public:
  virtual ~Direction() = default;

  /// Forgets the past: a direction down from the gradient alone.
  /// @param square of the gradient @param stiffness an upper estimate of the energy's second
  /// derivative
  virtual NextDirection restart(double square, double stiffness) = 0;
  virtual NextDirection next(const AcceptedStep& turn) = 0;
  /// The length to try first along a direction.
  virtual double first_length(const NextDirection& direction) const = 0;

  virtual void save(std::vector<double>& out) const = 0;
  /// Takes its numbers from the front of `saved`.
  virtual void load(std::span<const double>& saved) = 0;
};

}  // namespace larmor::spins
