#pragma once
// Coefficients of a quadratic problem, as files list them.

#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::io {

constexpr Index most_variables = 100'000'000;

/// An entry of a list: of a variable (i == j) or of a pair.
struct Coefficient {
  Index i, j;  ///< as the file counts them
  double value;
  int line;
};

/// @returns the value @throws InputError calling it `name` if it is no number or too large
double coefficient(double value, const std::string& name, const SourcePosition& where);

/// @throws InputError for a pair or a variable that is listed twice
void refuse_doubled(const std::string& path, const std::vector<Coefficient>& entries);

/// @param first what the file calls the first variable
void add_entries(ground_states::QuadraticProblem& problem, const std::vector<Coefficient>& entries,
                 Index first, double pair_factor);

/// Of variables that the file counts from `first` on.
std::vector<std::string> counted_labels(Index size, Index first);

}  // namespace larmor::io
