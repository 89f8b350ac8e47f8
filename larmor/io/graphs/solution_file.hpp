#pragma once
// What `larmor solve` has found, as JSON. docs/solve.md describes it.

#include <cstdint>
#include <optional>
#include <string>

#include "larmor/ground_states/certificate.hpp"
#include "larmor/ground_states/search.hpp"
#include "larmor/io/graphs/problem_file.hpp"

namespace larmor::io {

struct Solution {
  std::string path;  ///< of the problem
  std::string version, command;
  ground_states::SearchSettings settings;
  ground_states::SearchResult result;
  double solved_at;                              ///< H that counts as the solution
  ground_states::RepeatRecord::Outcome outcome;  ///< of that
  std::optional<ground_states::Certificate> certificate;
  bool lacks_certificate = false;  ///< was one asked for that the end came before?

  /// Has the search found the ground state? Known with a certificate alone.
  bool is_ground_state(const ground_states::QuadraticProblem& problem) const;
};

/// How often the search reached its target, or else the least H of all repeats, and how long that
/// takes.
Solution solution_of(const ground_states::SearchSettings& settings,
                     ground_states::SearchResult result);

/// "+-++" of spins, "1011" of bits.
std::string state_text(const ground_states::QuadraticProblem& problem,
                       const ground_states::State& state);

/// FORMAT: all that depends on the speed of the machine stands under "timing".
std::string solution_json(const ProblemFile& file, const Solution& solution);

}  // namespace larmor::io
