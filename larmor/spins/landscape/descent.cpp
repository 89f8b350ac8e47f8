#include "larmor/spins/landscape/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {
namespace {

/// If no spin turns by more than this, the state no longer changes.
constexpr double shortest_rotation = 1e-15;

}  // namespace

Descent::Descent(std::unique_ptr<Direction> direction, double flattest, double tolerance,
                 double max_rotation, double rounding)
    : direction_(std::move(direction)),
      search_(flattest),
      tolerance_(tolerance),
      max_rotation_(max_rotation),
      rounding_(rounding) {}

void Descent::start() {
  starting_ = true;
  stalled_ = false;
  searches_ = false;
  length_ = 0;
}

void Descent::accept(const Trial& trial) {
  energy_ = trial.energy;
  torque_ = trial.largest_gradient;
  field_ = trial.largest_field;
  square_ = trial.products.square;
}

void Descent::begin_search(const NextDirection& next, std::span<double> numbers) {
  set_direction(next, [&](int n, double x) { numbers[static_cast<std::size_t>(n)] = x; });
  slope_ = next.slope;
  length_ = direction_->first_length(next);
  searches_ = false;
}

void Descent::restart(std::span<double> numbers) {
  // Second derivatives of a bilinear energy are at most twice the largest field.
  begin_search(direction_->restart(square_, 2 * field_), numbers);
  fresh_ = true;
}

void Descent::receive(const Trial& trial, int place, std::span<double> numbers) {
  std::fill(numbers.begin(), numbers.end(), 0.0);
  if (starting_) {
    starting_ = false;
    accept(trial);
    numbers[advance_accepts] = 1;
    if (!done()) restart(numbers);
    if (done()) length_ = 0;
    return;
  }
  if (done()) return;
  if (!searches_)
    search_.begin(energy_, slope_, length_, max_rotation_ / trial.longest,
                  shortest_rotation / trial.longest, rounding_ * field_);
  searches_ = true;
  const double length = search_.length();
  const LineSearch::Verdict verdict =
      std::isfinite(trial.energy) ? search_.judge(trial.energy, trial.products.slope)
                                  : search_.judge(std::numeric_limits<double>::infinity(), 0);
  if (verdict == LineSearch::Verdict::again) {
    length_ = search_.length();
    return;
  }
  if (verdict == LineSearch::Verdict::stuck) {
    if (fresh_) {
      stalled_ = true;
      length_ = 0;
    } else {
      restart(numbers);
    }
    return;
  }
  const NextDirection next = direction_->next({length, slope_, square_, place, trial.products});
  accept(trial);
  numbers[advance_accepts] = 1;
  numbers[advance_length] = length;
  numbers[advance_reflects] = next.reflects;
  if (done()) {
    length_ = 0;
  } else if (!(next.slope < -1e-6 * std::sqrt(square_ * next.square))) {
    restart(numbers);
  } else {
    begin_search(next, numbers);
    fresh_ = false;
  }
}

void Descent::save(std::vector<double>& out) const {
  save_numbers(out, {energy_, torque_, field_, square_, slope_, length_});
  for (const bool flag : {starting_, fresh_, searches_, stalled_})
    save_numbers(out, {flag ? 1.0 : 0.0});
  search_.save(out);
  direction_->save(out);
}

void Descent::load(std::span<const double>& saved) {
  for (double* number : {&energy_, &torque_, &field_, &square_, &slope_, &length_})
    *number = take_number(saved);
  for (bool* flag : {&starting_, &fresh_, &searches_, &stalled_}) *flag = take_number(saved) != 0;
  search_.load(saved);
  direction_->load(saved);
}

}  // namespace larmor::spins
