#include "larmor/ground_states/repeat_record.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace larmor::ground_states {
namespace {

/// Times with equal numbers differ by less than 1/64.
int number_of_time(double time) {
  constexpr int steps = 128;
  int exponent = 0;
  const double mantissa = std::frexp(time, &exponent);
  return exponent * steps + static_cast<int>(mantissa * steps);
}

/// A repeat counts as at least one sweep, even if its state was found before the first sweep.
double sweeps_until_found(const Repeat& repeat) {
  return static_cast<double>(std::max<Index>(1, repeat.found_at));
}

}  // namespace

RepeatRecord::RepeatRecord(const SpinForm& form, const std::optional<double>& target)
    : margin_(margin_of(form)), target_(target) {
  scale_.offset = form.offset;
  scale_.factor = form.factor;
  scale_.divisor = form.divisor;
}

void RepeatRecord::add(const Repeat& repeat) {
  ++count_;
  if (lists_each()) {
    each_.push_back(repeat);
    return;
  }
  for (const Repeat& listed : each_) count(listed);
  each_ = {};
  count(repeat);
}

void RepeatRecord::count(const Repeat& repeat) {
  const bool is_first = levels_.empty();
  ++levels_[repeat.value];
  if (levels_.size() > most_levels) {
    const auto highest = std::prev(levels_.end());
    above_levels_ += highest->second;
    levels_.erase(highest);
  }
  if (is_first) solved_at_ = target_.value_or(repeat.value);
  if (!is_solved(repeat.value, solved_at_)) return;
  if (!target_ && repeat.value < solved_at_) {
    // The solution is lower than before, so the repeats in the histograms have not found it.
    if (!is_solved(solved_at_, repeat.value)) {
      sweeps_.clear();
      seconds_.clear();
    }
    solved_at_ = repeat.value;
  }
  const auto add_time = [](Histogram& histogram, double time) {
    Times& times = histogram[number_of_time(time)];
    ++times.count;
    times.sum += time;
  };
  add_time(sweeps_, sweeps_until_found(repeat));
  add_time(seconds_, repeat.found_after);
}

RepeatRecord::Outcome RepeatRecord::outcome(double solution, std::uint64_t seed) const {
  Outcome outcome;
  if (lists_each()) {
    std::vector<double> sweeps, seconds;
    for (const Repeat& repeat : each_) {
      const bool found = is_solved(repeat.value, solution);
      constexpr double never = std::numeric_limits<double>::infinity();
      outcome.found += found ? 1 : 0;
      sweeps.push_back(found ? sweeps_until_found(repeat) : never);
      seconds.push_back(found ? repeat.found_after : never);
    }
    outcome.sweeps = time_to_solution(sweeps, seed);
    outcome.seconds = time_to_solution(seconds, seed);
    return outcome;
  }
  if (is_solved(solved_at_, solution))
    for (const auto& [number, times] : sweeps_) outcome.found += times.count;
  outcome.sweeps = time(sweeps_, outcome.found, seed);
  outcome.seconds = time(seconds_, outcome.found, seed);
  return outcome;
}

TimeToSolution RepeatRecord::time(const Histogram& histogram, Index found,
                                  std::uint64_t seed) const {
  std::vector<TimesAlike> times;
  if (found > 0)
    for (const auto& [number, alike] : histogram)
      times.push_back({alike.sum / static_cast<double>(alike.count), alike.count});
  return time_to_solution(times, count_, seed);
}

}  // namespace larmor::ground_states
