#pragma once
// Coefficients of a quadratic problem, in the order of a file.

#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::io {

constexpr Index most_variables = 100'000'000;

/// An entry of a list, for a variable (i == j) or a pair.
struct Coefficient {
  Index i, j;  ///< numbers in the file
  double value;
  int line;
};

/// @returns the value @throws InputError with `name` if it is not a number or too large
double coefficient(double value, const std::string& name, const SourcePosition& where);

/// @throws InputError for a pair or a variable that is listed twice
void refuse_doubled(const std::string& path, const std::vector<Coefficient>& entries);

/// @param first number of the first variable in the file
void add_entries(ground_states::QuadraticProblem& problem, const std::vector<Coefficient>& entries,
                 Index first, double pair_factor);

/// Labels of variables that the file counts from `first` on.
std::vector<std::string> counted_labels(Index size, Index first);

}  // namespace larmor::io
