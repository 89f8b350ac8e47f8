#pragma once
// Coefficients of a quadratic problem, in the order of a file, and the search for pairs that a
// file lists twice.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"
#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::io {

/// Two entries, in the order of the file, that name one pair. The order within a pair is free.
/// @param pair_of pair_of(n) is the std::pair of entry n of `count`
template <class PairOf>
std::optional<std::pair<std::size_t, std::size_t>> doubled_pair(std::size_t count,
                                                                const PairOf& pair_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto ends = [&](std::size_t n) {
    const auto pair = pair_of(n);
    return std::pair<Index, Index>(std::minmax<Index>(pair.first, pair.second));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ends(a) != ends(b) ? ends(a) < ends(b) : a < b;
  });
  for (std::size_t n = 1; n < order.size(); ++n)
    if (ends(order[n - 1]) == ends(order[n])) return std::pair(order[n - 1], order[n]);
  return std::nullopt;
}

constexpr Index most_variables = 100'000'000;

/// An entry of a list, for a variable (i == j) or a pair.
struct Coefficient {
  Index i, j;  ///< numbers in the file
  double value;
  int line;
};

/// @returns the value @throws InputError, which calls it `name`, if it is not a number or too large
double coefficient(double value, const std::string& name, const SourcePosition& where);

/// @throws InputError for a pair or a variable that is listed twice
void refuse_doubled(const std::string& path, const std::vector<Coefficient>& entries);

/// @param first number of the first variable in the file
void add_entries(ground_states::QuadraticProblem& problem, const std::vector<Coefficient>& entries,
                 Index first, double pair_factor);

/// Labels of variables that the file counts from `first` on.
std::vector<std::string> counted_labels(Index size, Index first);

}  // namespace larmor::io
