#pragma once
// The solution of `larmor solve` as JSON. docs/solve.md describes it.

#include <cstdint>
#include <optional>
#include <string>

#include "larmor/ground_states/certificate.hpp"
#include "larmor/ground_states/search.hpp"
#include "larmor/io/graphs/problem_file.hpp"

namespace larmor::io {

struct Solution {
  std::string path;  ///< path of the problem
  std::string version, command;
  ground_states::SearchSettings settings;
  ground_states::SearchResult result;
  double solved_at;                              ///< H that counts as a solution
  ground_states::RepeatRecord::Outcome outcome;  ///< outcome for this H
  std::optional<ground_states::Certificate> certificate;
  bool lacks_certificate = false;  ///< did the search end before the requested certificate?

  /// Has the search found the ground state? This is known only with a certificate.
  bool is_ground_state(const ground_states::QuadraticProblem& problem) const;
};

/// Makes a solution from the result of a search: it adds the number of successes of the repeats,
/// and their time. A success reaches the target of `settings`, or the lowest H of all repeats if
/// there is no target.
Solution solution_of(const ground_states::SearchSettings& settings,
                     ground_states::SearchResult result);

/// "+-++" for spins, "1011" for bits.
std::string state_text(const ground_states::QuadraticProblem& problem,
                       const ground_states::State& state);

/// FORMAT: all values that depend on the speed of the machine are in "timing".
std::string solution_json(const ProblemFile& file, const Solution& solution);

}  // namespace larmor::io
