#include "larmor/spins/landscape/descent.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {
namespace {

/// Rounding of the energy of a spin, in units of the largest field.
constexpr double rounding = 1e-14;
/// No spin turns by less than this: nothing changes any more.
constexpr double shortest_rotation = 1e-15;

}  // namespace

Descent::Descent(std::unique_ptr<Direction> direction, double flattest, double tolerance,
                 double max_rotation, Index sites)
    : direction_(std::move(direction)),
      search_(flattest),
      tolerance_(tolerance),
      max_rotation_(max_rotation) {
  for (SiteVectors* v : {&spins_, &gradient_, &p_, &trial_, &trial_gradient_})
    v->resize(static_cast<std::size_t>(3 * sites));
}

void Descent::start(const SiteVectors& spins, double energy, const SiteVectors& field,
                    int threads) {
  spins_ = spins;
  energy_ = energy;
  stalled_ = false;
  size_ = gradient(spins_, field, gradient_, threads);
  if (!done()) restart(threads);
}

void Descent::restart(int threads) {
  // Second derivatives of a bilinear energy are at most twice the largest field.
  direction_->restart(gradient_, 2 * size_.field, p_, threads);
  fresh_ = true;
  slope_ = slope(threads);
  begin_search(threads);
}

void Descent::begin_search(int threads) {
  const double turn = largest_length(p_, threads);
  const double sites = static_cast<double>(spins_.size() / 3);
  search_.begin(energy_, slope_, direction_->first_length(slope_, inner_product(p_, p_, threads)),
                max_rotation_ / turn, shortest_rotation / turn, rounding * sites * size_.field);
}

const SiteVectors& Descent::propose(int threads) {
  turn(spins_, p_, search_.length(), trial_, threads);
  return trial_;
}

void Descent::receive(double energy, const SiteVectors& field, int threads) {
  const FieldSize size = gradient(trial_, field, trial_gradient_, threads);
  const double length = search_.length();
  const double new_slope = slope_after(spins_, p_, length, trial_gradient_, threads);
  const LineSearch::Verdict verdict =
      std::isfinite(energy) ? search_.judge(energy, new_slope)
                            : search_.judge(std::numeric_limits<double>::infinity(), 0);
  if (verdict == LineSearch::Verdict::again) return;
  if (verdict == LineSearch::Verdict::stuck) {
    if (fresh_) {
      stalled_ = true;
    } else {
      restart(threads);
    }
    return;
  }
  // Everything tangent goes along; the direction last, as the turn is read from it.
  std::vector<SiteVectors*> vectors = direction_->memory();
  vectors.push_back(&gradient_);
  SiteVectors carried = p_;
  vectors.push_back(&carried);
  carry(spins_, p_, length, vectors, threads);
  const double old_slope = slope_;
  spins_.swap(trial_);
  energy_ = energy;
  size_ = size;
  direction_->next({carried, length, old_slope, new_slope, gradient_, trial_gradient_, threads},
                   p_);
  gradient_.swap(trial_gradient_);
  fresh_ = false;
  if (done()) return;
  slope_ = slope(threads);
  const double squares =
      inner_product(gradient_, gradient_, threads) * inner_product(p_, p_, threads);
  if (!(slope_ < -1e-6 * std::sqrt(squares))) {
    restart(threads);
  } else {
    begin_search(threads);
  }
}

void Descent::save(std::vector<double>& out) const {
  save_numbers(
      out, {size_.torque, size_.field, energy_, slope_, fresh_ ? 1.0 : 0.0, stalled_ ? 1.0 : 0.0});
  search_.save(out);
  save_numbers(out, spins_);
  save_numbers(out, gradient_);
  save_numbers(out, p_);
  direction_->save(out);
}

void Descent::load(std::span<const double>& saved) {
  for (double* number : {&size_.torque, &size_.field, &energy_, &slope_})
    *number = take_number(saved);
  fresh_ = take_number(saved) != 0;
  stalled_ = take_number(saved) != 0;
  search_.load(saved);
  take_into(saved, spins_);
  take_into(saved, gradient_);
  take_into(saved, p_);
  direction_->load(saved);
}

}  // namespace larmor::spins
