#pragma once
// Searches for the ground state of a problem, repeated so that one sees how often they find it.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "larmor/problems/quadratic_problem.hpp"

namespace larmor::problems {

enum class SearchMethod { tempering, annealing };

struct SearchSettings {
  SearchMethod method = SearchMethod::tempering;
  Index repeats = 16;
  /// Of every rung of a ladder, or of an annealing.
  Index sweeps = 4000;
  /// No sweep begins later; then results depend on the speed of the machine.
  double seconds = std::numeric_limits<double>::infinity();
  /// A repeat ends once it has a state with such an H or less.
  std::optional<double> target;
  std::uint64_t seed = 1;
  int threads = 1;
  /// Temperatures in the unit of H; found from the problem if left out.
  std::optional<double> coldest, hottest;
  Index rungs = 0;  ///< 0: as many as exchange well
};

struct Repeat {
  double value;  ///< least H that was found
  State state;
  Index sweeps;        ///< done, of every rung
  Index found_at;      ///< sweeps until the state was found
  double found_after;  ///< seconds until then, of all threads together
};

struct SearchResult {
  std::vector<double> temperatures;  ///< the coldest first
  std::vector<double>
      exchange_rate;  ///< of every rung with the next, mean of the repeats; empty of annealings
  std::vector<Repeat> repeats;
  double updates = 0;         ///< of spins, by all repeats
  double seconds = 0;         ///< from the beginning to the end
  double ladder_seconds = 0;  ///< of these, to find the temperatures

  /// The repeat with the lowest value, of equal ones the first.
  const Repeat& best() const;
};

/// How far a search is.
struct SearchProgress {
  const char* stage;   ///< "temperatures", "tempering" or "annealing"
  double done, total;  ///< updates of spins; `total` is an estimate where seconds are limited
  double least;        ///< H found until now; infinite while there is none
};

/// @param watch is called now and then by the calling thread; false ends the search, which then
/// tells what it has found
/// @throws MachineError if all repeats together do not fit into memory
SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch);

}  // namespace larmor::problems
