#include "larmor/ground_states/ladder_search.hpp"

#include <chrono>
#include <numeric>

#include "larmor/core/device/parallel.hpp"
#include "larmor/tempering/exchange_rule.hpp"

namespace larmor::ground_states {
namespace {

using Clock = std::chrono::steady_clock;

/// BITS: number of sweeps between two descents. A descent takes much less time than these sweeps.
constexpr Index sweeps_of_descent = 4;
/// BITS: if h and J are real numbers, fields are recomputed after this many sweeps. This removes
/// rounding errors.
constexpr Index sweeps_of_fields = 1024;

}  // namespace

template <class Number>
LadderSearch<Number>::LadderSearch(const SpinForm& form, const Arrangement<Number>& arrangement,
                                   std::vector<double> temperatures, bool with_pairs,
                                   std::uint64_t seed, Index ladder, std::uint64_t first_step,
                                   const SearchEnd* end)
    : form_(&form),
      arrangement_(&arrangement),
      temperature_(std::move(temperatures)),
      with_pairs_(with_pairs),
      seed_(seed),
      first_step_(first_step),
      ladder_(ladder),
      rungs_(static_cast<Index>(temperature_.size())),
      copies_(copies_of(arrangement)),
      tolerance_(tolerance_of(form)),
      end_(end),
      replicas_(arrangement, replicas()),
      descending_(arrangement, copies_ * cold_rungs()),
      replica_at_(static_cast<std::size_t>(replicas())) {
  std::iota(replica_at_.begin(), replica_at_.end(), Index{0});
  for (; ready_ < replicas() && !is_reached(end_); ++ready_)
    replicas_.randomise(ready_, seed_, seed_name(ready_));
  if (copies_ > 1) moves_.assign(temperature_.size(), IsoenergeticMove<Number>(arrangement));
  reset_counts();
}

template <class Number>
double LadderSearch<Number>::bytes(const Arrangement<Number>& arrangement, std::size_t rungs) {
  const auto all = static_cast<Index>(rungs);
  const Index replicas = copies_of(arrangement) * (all + cold_half(all));
  return static_cast<double>(replicas) * Replicas<Number>::bytes(arrangement);
}

template <class Number>
void LadderSearch<Number>::advance(Index sweeps, double target, int threads) {
  const auto begun = Clock::now();
  const double before = seconds_;
  const auto mark_time = [&] {
    seconds_ = before + threads * std::chrono::duration<double>(Clock::now() - begun).count();
  };
  for (Index n = 0; n < sweeps && !has_reached(target); ++n) {
    if (!sweep_once(threads)) break;
    for (Index copy = 0; copy < copies_; ++copy) exchange(copy);
    count();
    if (sweeps_ % sweeps_of_descent != 0) continue;
    mark_time();
    search_minima(threads, end_);
  }
  mark_time();
}

template <class Number>
bool LadderSearch<Number>::sweep_once(int threads) {
  if (ready_ < replicas() || is_reached(end_)) return false;
  const RandomKey key{seed_, first_step_ + static_cast<std::uint64_t>(sweeps_),
                      Stream::problem_update};
  const bool renews = !form_->whole && sweeps_ % sweeps_of_fields == 0;
  parallel_for(threads, replicas(), [&](Index place) {
    if (is_reached(end_)) return;
    const Index n = replica_at_[static_cast<std::size_t>(place)];
    if (renews) replicas_.renew(n);
    const double temperature = temperature_[static_cast<std::size_t>(place % rungs_)];
    replicas_.sweep(n, temperature, key, seed_name(n), 1);
    if (with_pairs_) replicas_.sweep_pairs(n, temperature, key, seed_name(n));
  });
  if (is_reached(end_)) return false;
  parallel_for(threads, static_cast<Index>(moves_.size()), [&](Index rung) {
    moves_[static_cast<std::size_t>(rung)](replicas_, at(0, rung), at(1, rung), key,
                                           rung + rungs_ * ladder_);
  });
  ++sweeps_;
  return true;
}

template <class Number>
void LadderSearch<Number>::exchange(Index copy) {
  const RandomKey key{seed_, first_step_ + static_cast<std::uint64_t>(sweeps_),
                      Stream::temperature_exchange};
  for (Index lower = sweeps_ % 2; lower + 1 < rungs_; lower += 2) {
    const auto rung = static_cast<std::size_t>(lower);
    const auto place = static_cast<std::size_t>(copy * rungs_ + lower);
    Index &a = replica_at_[place], &b = replica_at_[place + 1];
    const double exponent = (1 / temperature_[rung] - 1 / temperature_[rung + 1]) *
                            (replicas_.energy(a) - replicas_.energy(b));
    proposed_[rung] += 1;
    if (!tempering::exchange_accepted(exponent, key, lower, copy + copies_ * ladder_)) continue;
    std::swap(a, b);
    accepted_[rung] += 1;
  }
}

template <class Number>
void LadderSearch<Number>::count() {
  for (std::size_t rung = 0; rung < temperature_.size(); ++rung)
    for (Index copy = 0; copy < copies_; ++copy) {
      const double energy = replicas_.energy(at(copy, static_cast<Index>(rung)));
      if (counted_ == 0) reference_[rung] = energy;
      const double difference = energy - reference_[rung];
      sum_[rung] += difference;
      sum_of_squares_[rung] += difference * difference;
    }
  counted_ += copies_;
}

template <class Number>
void LadderSearch<Number>::search_minima(int threads, const SearchEnd* end) {
  const Index cold = cold_rungs();
  parallel_for(threads, copies_ * cold, [&](Index n) {
    if (is_reached(end)) return;
    descending_.copy(n, replicas_, at(n / cold, n % cold));
    descending_.descend(n, tolerance_);
  });
  if (is_reached(end)) return;
  for (Index n = 0; n < copies_ * cold; ++n) record_if_lower(descending_, n);
}

template <class Number>
void LadderSearch<Number>::record_if_lower(Replicas<Number>& replicas, Index n) {
  if (!(replicas.energy(n) < found_.energy - tolerance_)) return;
  found_ = {replicas.energy(n), replicas.state(n), sweeps_, seconds_};
  if (!form_->whole) found_.energy = energy_of(*form_, found_.state);
}

template <class Number>
void LadderSearch<Number>::stop_early() {
  Index lowest = 0;
  for (Index n = 1; n < ready_; ++n)
    if (replicas_.energy(n) < replicas_.energy(lowest)) lowest = n;
  if (ready_ > 0) record_if_lower(replicas_, lowest);
}

template <class Number>
void LadderSearch<Number>::reset_counts() {
  counted_ = 0;
  const auto rungs = temperature_.size();
  sum_.assign(rungs, 0);
  sum_of_squares_.assign(rungs, 0);
  reference_.assign(rungs, 0);
  accepted_.assign(rungs - 1, 0);
  proposed_.assign(rungs - 1, 0);
}

template <class Number>
std::vector<tempering::RungEnergy> LadderSearch<Number>::energies() const {
  std::vector<tempering::RungEnergy> energies;
  const auto n = static_cast<double>(counted_);
  for (std::size_t rung = 0; rung < temperature_.size(); ++rung) {
    const double mean = sum_[rung] / n;
    energies.push_back({1 / temperature_[rung], reference_[rung] + mean,
                        std::max(0.0, sum_of_squares_[rung] / n - mean * mean)});
  }
  return energies;
}

template <class Number>
tempering::PairRates LadderSearch<Number>::rates() const {
  tempering::PairRates rates{std::vector<double>(accepted_.size()), proposed_};
  for (std::size_t pair = 0; pair < accepted_.size(); ++pair)
    rates.rate[pair] = proposed_[pair] > 0 ? accepted_[pair] / proposed_[pair] : 0;
  return rates;
}

template class LadderSearch<float>;
template class LadderSearch<double>;

}  // namespace larmor::ground_states
