#pragma once
// The part of a minimiser that depends on the method: the direction in which all spins of a replica
// turn next. The new direction is a linear combination of the old direction, the gradient, past
// steps and past gradient changes. A Direction returns the coefficients. The vectors are on the
// device and transported to the current spins.

#include <array>
#include <span>
#include <vector>

#include "larmor/spins/landscape/landscape_kernels.hpp"

namespace larmor::spins {

/// A number for each of the past steps.
using HistoryValues = std::array<double, history_length>;

/// Coefficients of each vector in a new direction.
struct NextDirection {
  double of_direction = 0, of_gradient = 0;
  HistoryValues of_step{}, of_change{};
  /// Multiple of the last step that is added to the stored change of the gradient.
  double reflects = 0;
  double slope = 0;   ///< gradient.direction
  double square = 0;  ///< direction.direction
};

/// Inner products after a turn along p from the gradient g to g', with y = g' - g.
struct StepProducts {
  double slope = 0;             ///< g'.p
  double square = 0;            ///< g'.g'
  double along_change = 0;      ///< g'.y
  double change_square = 0;     ///< y.y
  double curvature = 0;         ///< y.p
  double direction_square = 0;  ///< p.p
  /// Products p.s, p.c, y.s and y.c with each past step s and past gradient change c.
  HistoryValues direction_step{}, direction_change{}, change_step{}, change_change{};

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

/// Reads the products from the sums of a step.
/// @param turn returns a number of TurnSums
/// @param history returns a number of HistorySums
/// @param learns is there a history?
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

/// The direction of steepest descent, `rate` times the negative gradient.
inline NextDirection down_the_gradient(double rate, double square) {
  NextDirection next;
  next.of_gradient = -rate;
  next.slope = -rate * square;
  next.square = rate * rate * square;
  return next;
}

/// Writes a new direction as numbers (Advance).
/// @param set called with (number of Advance, value)
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

/// A turn that was just accepted.
struct AcceptedStep {
  double length;      ///< in units of the direction
  double old_slope;   ///< slope along the direction before the turn
  double old_square;  ///< square of the gradient before the turn
  int place;          ///< index of the history at which the step is stored
  const StepProducts& products;
  double stiffness = 0;  ///< as in `restart`, after the turn; only for velocity projection
};

class Direction {
 public:
  virtual ~Direction() = default;

  /// Discards the history and returns a direction along the gradient.
  /// @param square square of the gradient
  /// @param stiffness upper estimate of the second derivative of the energy
  virtual NextDirection restart(double square, double stiffness) = 0;
  virtual NextDirection next(const AcceptedStep& turn) = 0;
  /// The first trial length along a direction.
  virtual double first_length(const NextDirection& direction) const = 0;

  virtual void save(std::vector<double>& out) const = 0;
  /// Reads the numbers of this object, and removes them from the front of `saved`.
  virtual void load(std::span<const double>& saved) = 0;
};

}  // namespace larmor::spins
