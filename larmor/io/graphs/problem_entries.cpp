#include "larmor/io/graphs/problem_entries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace larmor::io {
namespace {

/// With this limit, squares and sums of coefficients stay finite.
constexpr double largest_coefficient = 1e100;

}  // namespace

double coefficient(double value, const std::string& name, const SourcePosition& where) {
  if (!(std::abs(value) <= largest_coefficient))
    throw InputError(fmt::format("{} is {:.6g}", name, value), where,
                     "write numbers between -1e100 and 1e100");
  return value;
}

void refuse_doubled(const std::string& path, const std::vector<Coefficient>& entries) {
  const auto doubled = doubled_pair(
      entries.size(), [&](std::size_t n) { return std::pair(entries[n].i, entries[n].j); });
  if (!doubled) return;
  const Coefficient& entry = entries[doubled->second];
  const std::string what = entry.i == entry.j
                               ? fmt::format("the coefficient of variable {}", entry.i)
                               : fmt::format("the pair of {} and {}", entry.i, entry.j);
  throw InputError(
      fmt::format("{} is given twice, first in line {}", what, entries[doubled->first].line),
      SourcePosition{path, entry.line, 1, ""},
      "list each variable and each pair once, a pair in either order");
}

void add_entries(ground_states::QuadraticProblem& problem, const std::vector<Coefficient>& entries,
                 Index first, double pair_factor) {
  for (const Coefficient& entry : entries) {
    const auto i = static_cast<std::int32_t>(entry.i - first);
    const auto j = static_cast<std::int32_t>(entry.j - first);
    if (i == j)
      problem.linear[static_cast<std::size_t>(i)] = entry.value;
    else
      problem.couplings.push_back({std::min(i, j), std::max(i, j), pair_factor * entry.value});
  }
}

std::vector<std::string> counted_labels(Index size, Index first) {
  std::vector<std::string> labels;
  for (Index n = 0; n < size; ++n) labels.push_back(std::to_string(first + n));
  return labels;
}

}  // namespace larmor::io
