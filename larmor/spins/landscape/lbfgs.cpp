#include "larmor/spins/landscape/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {

Lbfgs::Lbfgs(int history, Index sites) : pairs_(static_cast<std::size_t>(history)) {
  for (Pair& pair : pairs_) {
    pair.step.resize(static_cast<std::size_t>(3 * sites));
    pair.change.resize(static_cast<std::size_t>(3 * sites));
  }
}

void Lbfgs::restart(const SiteVectors& gradient, double stiffness, SiteVectors& p, int threads) {
  stored_ = 0;
  std::fill(p.begin(), p.end(), 0.0);
  add_scaled(-1 / stiffness, gradient, p, threads);
}

void Lbfgs::next(const AcceptedStep& step, SiteVectors& p) {
  const int threads = step.threads;
  const std::size_t place = (newest_ + 1) % pairs_.size();
  Pair& pair = pairs_[place];
  std::fill(pair.step.begin(), pair.step.end(), 0.0);
  add_scaled(step.length, step.direction, pair.step, threads);
  pair.change = step.gradient;
  add_scaled(-1, step.old_gradient, pair.change, threads);
  const double square = inner_product(pair.step, pair.step, threads);
  double curvature = inner_product(pair.step, pair.change, threads);
  if (curvature < 0) {
    add_scaled(-2 * curvature / square, pair.step, pair.change, threads);
    curvature = -curvature;
  }
  const double change_square = inner_product(pair.change, pair.change, threads);
  if (curvature > 1e-10 * std::sqrt(square * change_square)) {
    pair.curvature = curvature;
    newest_ = place;
    stored_ = std::min(stored_ + 1, pairs_.size());
  }
  std::fill(p.begin(), p.end(), 0.0);
  add_scaled(-1, step.gradient, p, threads);
  if (stored_ == 0) return;
  std::vector<double> share(stored_);
  for (std::size_t age = 0; age < stored_; ++age) {
    const Pair& known = pairs_[place_of(age)];
    share[age] = inner_product(known.step, p, threads) / known.curvature;
    add_scaled(-share[age], known.change, p, threads);
  }
  const Pair& last = pairs_[newest_];
  const double scale = last.curvature / inner_product(last.change, last.change, threads);
  for (double& x : p) x *= scale;
  for (std::size_t age = stored_; age-- > 0;) {
    const Pair& known = pairs_[place_of(age)];
    add_scaled(share[age] - inner_product(known.change, p, threads) / known.curvature, known.step,
               p, threads);
  }
}

std::vector<SiteVectors*> Lbfgs::memory() {
  std::vector<SiteVectors*> vectors;
  for (std::size_t age = 0; age < stored_; ++age) {
    vectors.push_back(&pairs_[place_of(age)].step);
    vectors.push_back(&pairs_[place_of(age)].change);
  }
  return vectors;
}

void Lbfgs::save(std::vector<double>& out) const {
  save_numbers(out, {static_cast<double>(stored_), static_cast<double>(newest_)});
  for (const Pair& pair : pairs_) {
    save_numbers(out, {pair.curvature});
    save_numbers(out, pair.step);
    save_numbers(out, pair.change);
  }
}

void Lbfgs::load(std::span<const double>& saved) {
  stored_ = static_cast<std::size_t>(take_number(saved));
  newest_ = static_cast<std::size_t>(take_number(saved));
  for (Pair& pair : pairs_) {
    pair.curvature = take_number(saved);
    take_into(saved, pair.step);
    take_into(saved, pair.change);
  }
}

}  // namespace larmor::spins
