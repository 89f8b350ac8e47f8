#pragma once
// Searches for the ground state of a problem, repeated so that one sees how often they find it.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/repeat_record.hpp"
#include "larmor/ground_states/search_end.hpp"

namespace larmor::ground_states {

enum class SearchMethod { tempering, annealing };

struct SearchSettings {
  SearchMethod method = SearchMethod::tempering;
  Index repeats = 16;
  /// Of every rung of a ladder, or of an annealing.
  Index sweeps = 4000;
  /// That the end comes after; then results depend on the speed of the machine.
  double seconds = std::numeric_limits<double>::infinity();
  /// Ladders go on for as long as there is time, side by side: a repeat is complete when the time
  /// is over, and `sweeps` only bounds it.
  bool open_ended = false;
  /// A repeat ends once it has a state with such an H or less.
  std::optional<double> target;
  std::uint64_t seed = 1;
  int threads = 1;
  /// Temperatures in the unit of H; found from the problem if left out.
  std::optional<double> coldest, hottest;
  Index rungs = 0;  ///< 0: as many as exchange well
};

/// The lowest state that was found.
struct BestState {
  double value = std::numeric_limits<double>::infinity();  ///< H
  State state;
};

struct SearchResult {
  std::vector<double> temperatures;  ///< the coldest first
  std::vector<double>
      exchange_rate;     ///< of every rung with the next, mean of the repeats; empty of annealings
  RepeatRecord repeats;  ///< those that are complete
  Index unfinished = 0;  ///< repeats that the end of the search cut short
  bool has_swept = false;  ///< have repeats? Else `best` is of the search for temperatures, or the
                           ///< minimum next to a random state
  BestState best;          ///< of equal ones that of the first repeat
  double updates = 0;      ///< of spins, by all repeats
  double seconds = 0;      ///< from the beginning to the end
  double ladder_seconds = 0;  ///< of these, to find the temperatures
};

/// How far a search is.
struct SearchProgress {
  const char* stage;   ///< "temperatures", "tempering" or "annealing"
  double done, total;  ///< updates of spins; `total` is an estimate where seconds are limited
  double least;        ///< H found until now; infinite while there is none
};

/// BITS: replicas have names of 24 bits in random numbers.
/// @param replicas of a repeat @throws InputError if the repeats have more than there are names
void require_names(Index repeats, Index replicas);

/// @param watch is called now and then by the calling thread; false ends the search, which then
/// tells what it has found
/// @param end ends it within a sweep of a replica
/// @throws InputError as require_names, MachineError if not even one repeat fits into memory
SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch, const SearchEnd& end);
/// The same after `seconds` of the settings.
SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch);

}  // namespace larmor::ground_states
