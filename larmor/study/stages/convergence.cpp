#include "larmor/study/stages/convergence.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::study {
namespace {

constexpr std::size_t most_samples = 64, fewest_to_fit = 8;
/// Share of the scatter that a line must explain.
constexpr double straight = 0.95;
/// The longest extrapolation, as a multiple of the time of the samples of a line.
constexpr double farthest = 2;
constexpr Index fewest_minimisations = 3;

}  // namespace

void ConvergenceEstimate::note(const Residual& residual, double now) {
  const bool begins = first_index_ < 0;
  if (begins) {
    first_index_ = residual.index;
    begun_ = now;
  }
  const bool sized = std::isfinite(residual.value) && residual.value > 0;
  const double size = sized ? std::max(residual.value, residual.tolerance) : residual.tolerance;
  if (begins || residual.index != latest_.index) {
    first_ = least_ = size;
    samples_.clear();
  }
  latest_ = residual;
  now_ = now;
  least_ = std::min(least_, size);
  const double whole = std::log(first_ / residual.tolerance);
  const double within = whole > 0 ? std::log(first_ / least_) / whole : 1;
  const double fraction =
      (static_cast<double>(residual.index) + within) / static_cast<double>(residual.count);
  fraction_ = std::clamp(fraction, fraction_, 1.0);

  samples_.push_back({now, std::log(least_)});
  if (samples_.size() <= most_samples) return;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < samples_.size(); n += 2) samples_[kept++] = samples_[n];
  samples_.resize(kept);
}

std::optional<double> ConvergenceEstimate::seconds_left() const {
  if (first_index_ < 0) return std::nullopt;
  return latest_.count > 1 ? seconds_by_count() : seconds_by_fit();
}

std::optional<double> ConvergenceEstimate::seconds_by_count() const {
  const Index done = latest_.index - first_index_;
  if (done < fewest_minimisations) return std::nullopt;
  return (now_ - begun_) / static_cast<double>(done) *
         static_cast<double>(latest_.count - latest_.index);
}

std::optional<double> ConvergenceEstimate::seconds_by_fit() const {
  const double from = (begun_ + now_) / 2;
  double n = 0, t = 0, y = 0;
  for (const Sample& sample : samples_)
    if (sample.time >= from) {
      ++n;
      t += sample.time;
      y += sample.log_residual;
    }
  if (n < static_cast<double>(fewest_to_fit)) return std::nullopt;
  t /= n;
  y /= n;
  double tt = 0, ty = 0, yy = 0;
  for (const Sample& sample : samples_)
    if (sample.time >= from) {
      tt += (sample.time - t) * (sample.time - t);
      ty += (sample.time - t) * (sample.log_residual - y);
      yy += (sample.log_residual - y) * (sample.log_residual - y);
    }
  if (ty >= 0 || ty * ty < straight * tt * yy) return std::nullopt;
  const double left = std::log(least_ / latest_.tolerance) * tt / -ty;
  if (left > farthest * (now_ - from)) return std::nullopt;
  return left;
}

}  // namespace larmor::study
