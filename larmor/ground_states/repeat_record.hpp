#pragma once
// Results of the repeats of a search. A few thousand repeats are listed one by one. If there are
// more repeats, only histograms of their energies and of their times until the solution are kept.
// Memory therefore does not grow.

#include <map>
#include <optional>
#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"
#include "larmor/ground_states/time_to_solution.hpp"

namespace larmor::ground_states {

/// A repeat that has done all its sweeps, or has reached its target.
struct Repeat {
  double value;        ///< least H found
  Index sweeps;        ///< sweeps done, of every rung
  Index found_at;      ///< sweeps until the state was found
  double found_after;  ///< seconds until the state was found, summed over threads
};

class RepeatRecord {
 public:
  static constexpr Index most_listed = 10000;
  static constexpr std::size_t most_levels = 1000;

  RepeatRecord() = default;
  /// @param target as in SearchSettings
  RepeatRecord(const SpinForm& form, const std::optional<double>& target);

  void add(const Repeat& repeat);

  Index count() const { return count_; }
  bool lists_each() const { return count_ <= most_listed; }
  /// All repeats; empty if there are more than most_listed.
  const std::vector<Repeat>& each() const { return each_; }
  /// If there are more than most_listed repeats: how many of them found each of the lowest H.
  const std::map<double, Index>& levels() const { return levels_; }
  /// Number of repeats with an H above all of `levels`.
  Index above_levels() const { return above_levels_; }

  struct Outcome {
    Index found = 0;  ///< repeats that found the solution or a lower H
    TimeToSolution sweeps, seconds;
  };
  /// @param solution H that counts as the solution: the target, or the least H known if there is no
  /// target
  Outcome outcome(double solution, std::uint64_t seed) const;

 private:
  /// Times that are nearly equal; each counts as their mean.
  struct Times {
    Index count = 0;
    double sum = 0;
  };
  using Histogram = std::map<int, Times>;

  SpinForm scale_;  ///< only its offset, factor and divisor
  double margin_ = 0;
  std::optional<double> target_;
  Index count_ = 0;
  std::vector<Repeat> each_;
  std::map<double, Index> levels_;
  Index above_levels_ = 0;
  double solved_at_ = 0;  ///< H of the solution that the histograms count
  Histogram sweeps_, seconds_;

  bool is_solved(double value, double solution) const {
    return scale_.energy(value) <= scale_.energy(solution) + margin_;
  }
  void count(const Repeat& repeat);
  TimeToSolution time(const Histogram& histogram, Index found, std::uint64_t seed) const;
};

}  // namespace larmor::ground_states
