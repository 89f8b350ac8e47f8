#pragma once
// Order in which the variables of a sparse problem are eliminated one by one. The elimination of a
// variable leaves a table over its neighbours, and joins all neighbours with one another. Several
// orders are tried: the order of the problem; breadth first from the rim; least degree first (W. F.
// Tinney and J. W. Walker, Proc. IEEE 55, 1801 (1967)); and least fill first (D. J. Rose, in Graph
// Theory and Computing (1972), 183), several times.

#include <optional>
#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::ground_states {

/// An order is refused if a step is wider than this.
inline constexpr int widest_order = 60;

struct EliminationOrder {
  std::vector<std::int32_t> variable;  ///< variable of each step
  std::vector<std::int32_t> scope;  ///< a row for each step: later steps whose variables are then
                                    ///< joined to its variable, ascending
  std::vector<Index> begin;         ///< where each row begins; then the end of the last row
  int width = 0;                    ///< length of the longest row
  double entries = 0;               ///< entries of all tables: the sum of 2^width

  Index steps() const { return static_cast<Index>(variable.size()); }
  int width_of(Index step) const { return static_cast<int>(begin[step + 1] - begin[step]); }
  const std::int32_t* scope_of(Index step) const { return scope.data() + begin[step]; }
};

/// Returns the order with the fewest table entries of all orders tried. Returns nothing if all are
/// wider than `widest_order`. Every machine finds an equal order. A coupling of 0 joins no
/// variables.
std::optional<EliminationOrder> elimination_order(const SpinForm& form);

}  // namespace larmor::ground_states
