#include "larmor/core/maths/line_search.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"

namespace larmor {
namespace {

constexpr double sufficient_decrease = 0.1;
/// Number of trials after which a good trial is accepted even if its slope is not flat.
constexpr double patient_trials = 8;

}  // namespace

void LineSearch::begin(double energy, double slope, double first, double longest, double shortest,
                       double rounding) {
  energy_ = energy;
  slope_ = slope;
  longest_ = longest;
  shortest_ = shortest;
  rounding_ = rounding;
  length_ = std::min(first, longest);
  low_ = 0;
  low_slope_ = slope;
  high_ = 0;
  trials_ = 0;
}

LineSearch::Verdict LineSearch::try_next(double length) {
  if (length < shortest_) return Verdict::stuck;
  length_ = length;
  return Verdict::again;
}

LineSearch::Verdict LineSearch::judge(double energy, double slope) {
  ++trials_;
  const double change = energy - energy_;
  const bool fallen = change <= sufficient_decrease * length_ * slope_;
  const bool level = std::abs(change) <= rounding_;
  const bool good = fallen || (level && slope <= (2 * sufficient_decrease - 1) * slope_);
  const bool flat = std::abs(slope) <= flattest_ * std::abs(slope_);
  if (good && (flat || trials_ >= patient_trials || (slope < 0 && length_ >= longest_)))
    return Verdict::accept;
  // The next length is at the minimum of the parabola through both slopes, limited to the bracket.
  if (good && slope < 0) {
    const double rise = (slope - low_slope_) / (length_ - low_);
    const double bottom = rise > 0 ? length_ - slope / rise : 4 * length_;
    const double from = length_;
    low_ = length_;
    low_slope_ = slope;
    const double top = high_ > 0 ? high_ : longest_;
    const double next =
        high_ > 0 ? std::clamp(bottom, from + 0.1 * (top - from), from + 0.9 * (top - from))
                  : std::clamp(bottom, 1.5 * from, 4 * from);
    return try_next(std::min(next, top));
  }
  high_ = length_;
  const double rise = (slope - low_slope_) / (length_ - low_);
  const double bottom = rise > 0 && std::isfinite(rise) ? low_ - low_slope_ / rise : low_;
  const double width = high_ - low_;
  return try_next(std::clamp(bottom, low_ + 0.1 * width, low_ + (good ? 0.9 : 0.5) * width));
}

void LineSearch::save(std::vector<double>& out) const {
  save_numbers(out, {energy_, slope_, length_, longest_, shortest_, rounding_, low_, low_slope_,
                     high_, trials_});
}

void LineSearch::load(std::span<const double>& saved) {
  for (double* number : {&energy_, &slope_, &length_, &longest_, &shortest_, &rounding_, &low_,
                         &low_slope_, &high_, &trials_})
    *number = take_number(saved);
}

}  // namespace larmor
