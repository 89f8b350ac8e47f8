#pragma once
// The proof of a ground state. It enumerates all states of a problem of few variables, or it
// eliminates the variables of a sparse problem.

#include <functional>
#include <optional>

#include "larmor/ground_states/elimination.hpp"

namespace larmor::ground_states {

class Certification {
 public:
  /// Chooses the cheaper proof. All machines choose alike.
  /// @param must_enumerate true for a GPU, which has no elimination
  /// @throws InputError if neither proof is possible
  Certification(const QuadraticProblem& problem, bool must_enumerate);

  bool eliminates() const { return order_.has_value(); }
  /// Number of states of an enumeration, or of table entries of an elimination.
  double work() const;

  /// Runs `enumerate` or `eliminate`. Arguments, results and errors are those of the chosen
  /// function.
  std::optional<Certificate> run(const QuadraticProblem& problem, const Device& device,
                                 const std::function<bool(double)>& watch) const;

 private:
  Index variables_;
  std::optional<EliminationOrder> order_;
};

}  // namespace larmor::ground_states
