#include "larmor/atoms/minimisers/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
namespace {

/// Second derivative of the energy for the first step, eV/Angstrom^2: that of a bond of a metal.
/// The line search corrects a wrong value.
constexpr double first_stiffness = 20;
/// Rounding error of the energy of an atom, in eV and as a fraction.
constexpr double rounding = 1e-14;
/// Angstrom. If no atom moves farther than this, the step counts as no change.
constexpr double shortest_step = 1e-14;

}  // namespace

Lbfgs::Lbfgs(const AtomLayout& layout, const MinimiserSettings& settings, int history, int threads)
    : Minimiser(layout, settings, threads),
      new_pair_{JointVector(layout), JointVector(layout), std::vector<double>(replicas())},
      stored_(replicas()),
      direction_(layout),
      // Quasi-Newton steps have good lengths: any trial that lowers the energy is accepted.
      search_(replicas(), LineSearch(std::numeric_limits<double>::infinity())),
      is_steepest_descent_(replicas()) {
  for (int n = 0; n < history; ++n) pairs_.push_back(new_pair_);
}

void Lbfgs::restart(const ReplicaSet& chosen) {
  const std::vector<double> inverse_stiffness(replicas(), 1 / first_stiffness),
      zero(replicas(), 0.0);
  combine(layout_, chosen, inverse_stiffness, force_, zero, force_, direction_, threads_);
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (chosen[r] == 0) continue;
    stored_[r] = 0;
    is_steepest_descent_[r] = 1;
  }
  begin_search(chosen);
}

std::vector<double> Lbfgs::begin_search(const ReplicaSet& chosen) {
  std::vector<double> slope = inner_products(layout_, force_, direction_, threads_);
  const std::vector<double> longest =
      coordinates_.longest_steps(layout_, direction_, settings_.max_step);
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (chosen[r] == 0) continue;
    const auto atoms = static_cast<double>(layout_.atoms_of(static_cast<Index>(r)));
    slope[r] = -slope[r];
    search_[r].begin(enthalpy_[r], slope[r], 1, longest[r],
                     longest[r] * shortest_step / settings_.max_step,
                     rounding * (std::abs(enthalpy_[r]) + atoms));
  }
  return slope;
}

void Lbfgs::propose(const ReplicaSet& running) {
  std::vector<double> length;
  for (const LineSearch& search : search_) length.push_back(search.length());
  combine(layout_, running, std::vector<double>(replicas(), 1.0), x_, length, direction_, trial_,
          threads_);
}

ReplicaSet Lbfgs::accept_trials(const ReplicaSet& running, std::span<const double> enthalpy) {
  const std::vector<double> products = inner_products(layout_, trial_force_, direction_, threads_);
  ReplicaSet accepted(replicas()), stuck(replicas());
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (running[r] == 0) continue;
    const bool is_finite = std::isfinite(enthalpy[r]) && std::isfinite(products[r]);
    const LineSearch::Verdict verdict =
        is_finite ? search_[r].judge(enthalpy[r], -products[r])
                  : search_[r].judge(std::numeric_limits<double>::infinity(), 0);
    accepted[r] = verdict == LineSearch::Verdict::accept ? 1 : 0;
    if (verdict != LineSearch::Verdict::stuck) continue;
    stalled_[r] = is_steepest_descent_[r];
    stuck[r] = is_steepest_descent_[r] == 0 ? 1 : 0;
  }
  restart(stuck);
  update_history(accepted);
  return accepted;
}

void Lbfgs::update_history(const ReplicaSet& accepted) {
  const std::vector<double> one(replicas(), 1.0), minus_one(replicas(), -1.0), zero(replicas());
  std::vector<double> length, turn(replicas());
  for (const LineSearch& search : search_) length.push_back(search.length());
  combine(layout_, accepted, length, direction_, zero, direction_, new_pair_.step, threads_);
  combine(layout_, accepted, one, force_, minus_one, trial_force_, new_pair_.change, threads_);
  const std::vector<double> square =
      inner_products(layout_, new_pair_.step, new_pair_.step, threads_);
  new_pair_.curvature = inner_products(layout_, new_pair_.step, new_pair_.change, threads_);
  ReplicaSet turned(replicas()), kept(replicas());
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (accepted[r] == 0 || !(new_pair_.curvature[r] < 0)) continue;
    turned[r] = 1;
    turn[r] = -2 * new_pair_.curvature[r] / square[r];
    new_pair_.curvature[r] = -new_pair_.curvature[r];
  }
  combine(layout_, turned, one, new_pair_.change, turn, new_pair_.step, new_pair_.change, threads_);
  const std::vector<double> change_square =
      inner_products(layout_, new_pair_.change, new_pair_.change, threads_);
  for (std::size_t r = 0; r < replicas(); ++r)
    kept[r] =
        accepted[r] != 0 && new_pair_.curvature[r] > 1e-10 * std::sqrt(square[r] * change_square[r])
            ? 1
            : 0;
  store_pairs(kept);
}

void Lbfgs::store_pairs(const ReplicaSet& kept) {
  const auto store = [&](const Pair& from, Pair& to) {
    assign(layout_, kept, from.step, to.step, threads_);
    assign(layout_, kept, from.change, to.change, threads_);
    for (std::size_t r = 0; r < replicas(); ++r)
      if (kept[r] != 0) to.curvature[r] = from.curvature[r];
  };
  for (std::size_t age = pairs_.size() - 1; age > 0; --age) store(pairs_[age - 1], pairs_[age]);
  store(new_pair_, pairs_.front());
  for (std::size_t r = 0; r < replicas(); ++r)
    if (kept[r] != 0) stored_[r] = std::min(stored_[r] + 1, pairs_.size());
}

void Lbfgs::advance(const ReplicaSet& chosen) {
  find_direction(chosen);
  const std::vector<double> slope = begin_search(chosen);
  const std::vector<double> force_square = inner_products(layout_, force_, force_, threads_);
  const std::vector<double> square = inner_products(layout_, direction_, direction_, threads_);
  ReplicaSet lost(replicas());
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (chosen[r] == 0) continue;
    is_steepest_descent_[r] = 0;
    lost[r] = slope[r] < -1e-6 * std::sqrt(force_square[r] * square[r]) ? 0 : 1;
  }
  restart(lost);
}

ReplicaSet Lbfgs::replicas_with_pair(const ReplicaSet& chosen, std::size_t age) const {
  ReplicaSet result(replicas());
  for (std::size_t r = 0; r < replicas(); ++r)
    result[r] = chosen[r] != 0 && age < stored_[r] ? 1 : 0;
  return result;
}

void Lbfgs::find_direction(const ReplicaSet& chosen) {
  const std::vector<double> one(replicas(), 1.0), zero(replicas(), 0.0);
  assign(layout_, chosen, force_, direction_, threads_);
  std::vector<std::vector<double>> alpha;  // [age][replica]
  for (std::size_t age = 0; age < pairs_.size(); ++age) {
    const Pair& pair = pairs_[age];
    alpha.push_back(inner_products(layout_, pair.step, direction_, threads_));
    std::vector<double> minus_alpha;
    for (std::size_t r = 0; r < replicas(); ++r) {
      alpha.back()[r] /= pair.curvature[r];
      minus_alpha.push_back(-alpha.back()[r]);
    }
    combine(layout_, replicas_with_pair(chosen, age), one, direction_, minus_alpha, pair.change,
            direction_, threads_);
  }
  std::vector<double> scale =
      inner_products(layout_, pairs_.front().change, pairs_.front().change, threads_);
  for (std::size_t r = 0; r < replicas(); ++r) scale[r] = pairs_.front().curvature[r] / scale[r];
  combine(layout_, replicas_with_pair(chosen, 0), scale, direction_, zero, direction_, direction_,
          threads_);
  for (std::size_t age = pairs_.size(); age-- > 0;) {
    const Pair& pair = pairs_[age];
    std::vector<double> correction = inner_products(layout_, pair.change, direction_, threads_);
    for (std::size_t r = 0; r < replicas(); ++r)
      correction[r] = alpha[age][r] - correction[r] / pair.curvature[r];
    combine(layout_, replicas_with_pair(chosen, age), one, direction_, correction, pair.step,
            direction_, threads_);
  }
}

void Lbfgs::save_memory(std::vector<double>& out, std::size_t r) const {
  const auto replica = static_cast<Index>(r);
  for (const Pair& pair : pairs_) {
    atoms::save(out, layout_, replica, pair.step);
    atoms::save(out, layout_, replica, pair.change);
    save_numbers(out, {pair.curvature[r]});
  }
  atoms::save(out, layout_, replica, direction_);
  save_numbers(out,
               {static_cast<double>(stored_[r]), static_cast<double>(is_steepest_descent_[r])});
  search_[r].save(out);
}

void Lbfgs::load_memory(std::span<const double>& saved, std::size_t r) {
  const auto replica = static_cast<Index>(r);
  for (Pair& pair : pairs_) {
    atoms::load(saved, layout_, replica, pair.step);
    atoms::load(saved, layout_, replica, pair.change);
    pair.curvature[r] = take_number(saved);
  }
  atoms::load(saved, layout_, replica, direction_);
  stored_[r] = static_cast<std::size_t>(take_number(saved));
  is_steepest_descent_[r] = static_cast<char>(take_number(saved));
  search_[r].load(saved);
}

}  // namespace larmor::atoms
