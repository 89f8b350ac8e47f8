#pragma once
// How a ground state is proved: by going through all states of few variables, or by eliminating the
// variables of a sparse problem.

#include <functional>
#include <optional>

#include "larmor/ground_states/elimination.hpp"

namespace larmor::ground_states {

class Certification {
 public:
  /// Takes the way that costs less, the same on every machine.
  /// @param must_enumerate eliminations are not for GPUs
  /// @throws InputError where neither way is open
  Certification(const QuadraticProblem& problem, bool must_enumerate);

  bool eliminates() const { return order_.has_value(); }
  /// What it goes through: states, or entries of tables.
  double work() const;

  /// As `enumerate` and `eliminate`.
  std::optional<Certificate> run(const QuadraticProblem& problem, const Device& device,
                                 const std::function<bool(double)>& watch) const;

 private:
  Index variables_;
  std::optional<EliminationOrder> order_;
};

}  // namespace larmor::ground_states
