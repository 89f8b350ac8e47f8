#pragma once
// What the repeats of a search have found. Of a few thousand each is listed. Of more only their
// numbers are kept, by energy and by the time until they had found the solution, so that the memory
// does not grow with them.

#include <map>
#include <optional>
#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/time_to_solution.hpp"

namespace larmor::ground_states {

/// A repeat that has done all its sweeps, or has reached its target.
struct Repeat {
  double value;        ///< least H that was found
  Index sweeps;        ///< done, of every rung
  Index found_at;      ///< sweeps until the state was found
  double found_after;  ///< seconds until then, of all threads together
};

class RepeatRecord {
 public:
  static constexpr Index most_listed = 10000;
  static constexpr std::size_t most_levels = 1000;

  RepeatRecord() = default;
  /// @param target as SearchSettings has it
  RepeatRecord(const SpinForm& form, const std::optional<double>& target);

  void add(const Repeat& repeat);

  Index count() const { return count_; }
  bool lists_each() const { return count_ <= most_listed; }
  /// All of them, while there are few.
  const std::vector<Repeat>& each() const { return each_; }
  /// How many found each energy, of many repeats: the lowest energies.
  const std::map<double, Index>& levels() const { return levels_; }
  /// Repeats with energies above these.
  Index above_levels() const { return above_levels_; }

  struct Outcome {
    Index found = 0;  ///< repeats with that H or less
    TimeToSolution sweeps, seconds;
  };
  /// @param at H that counts as the solution: the target, or else the least H that is known
  Outcome outcome(double at, std::uint64_t seed) const;

 private:
  /// Times that are nearly equal: the mean of them stands for each.
  struct Times {
    Index count = 0;
    double sum = 0;
  };
  using Histogram = std::map<int, Times>;

  SpinForm scale_;  ///< its numbers alone
  double margin_ = 0;
  std::optional<double> target_;
  Index count_ = 0;
  std::vector<Repeat> each_;
  std::map<double, Index> levels_;
  Index above_levels_ = 0;
  double solved_at_ = 0;  ///< H that the histograms are of
  Histogram sweeps_, seconds_;

  bool is_solved(double value, double at) const {
    return scale_.energy(value) <= scale_.energy(at) + margin_;
  }
  void count(const Repeat& repeat);
  TimeToSolution time(const Histogram& histogram, Index found, std::uint64_t seed) const;
};

}  // namespace larmor::ground_states
