#pragma once
// Repeated searches for the ground state of a problem. The repeats show how often a search finds
// it.

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
  /// Number of sweeps of every rung of a ladder, or of an annealing.
  Index sweeps = 4000;
  /// Time limit. If it is finite, results depend on the speed of the machine.
  double seconds = std::numeric_limits<double>::infinity();
  /// Do all ladders run side by side until the time limit? A repeat is then complete at the time
  /// limit, or after `sweeps` sweeps if these end earlier.
  bool open_ended = false;
  /// A repeat ends as soon as it has a state with this H or a lower H.
  std::optional<double> target;
  std::uint64_t seed = 1;
  int threads = 1;
  /// Temperatures in units of H; derived from the problem if not given.
  std::optional<double> coldest, hottest;
  Index rungs = 0;  ///< number of rungs; 0: as many as good exchange rates need
};

/// The lowest state found.
struct BestState {
  double value = std::numeric_limits<double>::infinity();  ///< H
  State state;
};

struct SearchResult {
  std::vector<double> temperatures;  ///< the coldest first
  /// Acceptance of exchanges of each rung with the next, mean over the repeats; empty for
  /// annealing.
  std::vector<double> exchange_rate;
  RepeatRecord repeats;       ///< complete repeats
  Index unfinished = 0;       ///< number of repeats that the end of the search interrupted
  bool has_swept = false;     ///< have repeats run? Otherwise `best` is from the search for
                              ///< temperatures, or the minimum next to a random state
  BestState best;             ///< if several repeats are equally low, the state of the first one
  double updates = 0;         ///< updates of spins in all repeats
  double seconds = 0;         ///< from beginning to end
  double ladder_seconds = 0;  ///< part of `seconds` that the choice of temperatures took
};

/// Progress of a search.
struct SearchProgress {
  const char* stage;   ///< "temperatures", "tempering" or "annealing"
  double done, total;  ///< updates of spins; `total` is an estimate if seconds are limited
  double least;        ///< least H found so far; infinite: none
};

/// BITS: a replica has a name of 24 bits in random keys.
/// @param replicas number per repeat @throws InputError if the repeats need more names than exist
void require_names(Index repeats, Index replicas);

/// @param watch called at intervals by the calling thread; if it returns false, the search ends and
/// returns its results so far
/// @param end ends the search within a sweep of a replica
/// @throws InputError as require_names, MachineError if not even one repeat fits into memory
SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch, const SearchEnd& end);
/// Searches with an end after `seconds` of the settings.
SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch);

}  // namespace larmor::ground_states
