#pragma once
// Proof of a ground state: an enumeration of all states of few variables, or an elimination of the
// variables of a sparse problem.

#include <functional>
#include <optional>

#include "larmor/ground_states/elimination.hpp"

namespace larmor::ground_states {

class Certification {
 public:
  /// Chooses the cheaper proof; the choice is the same on every machine.
  /// @param must_enumerate for GPUs, on which no elimination exists
  /// @throws InputError if neither proof is possible
  Certification(const QuadraticProblem& problem, bool must_enumerate);

  bool eliminates() const { return order_.has_value(); }
  /// States of an enumeration, or table entries of an elimination.
  double work() const;

  /// Runs `enumerate` or `eliminate`, with their arguments, results and errors.
  std::optional<Certificate> run(const QuadraticProblem& problem, const Device& device,
                                 const std::function<bool(double)>& watch) const;

 private:
  Index variables_;
  std::optional<EliminationOrder> order_;
};

}  // namespace larmor::ground_states
