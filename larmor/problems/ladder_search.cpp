#include "larmor/problems/ladder_search.hpp"

#include <chrono>
#include <numeric>

#include "larmor/core/device/parallel.hpp"
#include "larmor/tempering/exchange_rule.hpp"

namespace larmor::problems {
namespace {

using Clock = std::chrono::steady_clock;

/// BITS: sweeps between two descents, which cost about as much as three sweeps of half the rungs.
constexpr Index sweeps_of_descent = 8;
/// BITS: fields that rounding touches are made anew after so many sweeps.
constexpr Index sweeps_of_fields = 1024;

}  // namespace

template <class Number>
LadderSearch<Number>::LadderSearch(const SpinForm& form, const Arrangement<Number>& arrangement,
                                   std::vector<double> temperatures, std::uint64_t seed,
                                   Index ladder, std::uint64_t first_step)
    : form_(&form),
      arrangement_(&arrangement),
      temperature_(std::move(temperatures)),
      seed_(seed),
      first_step_(first_step),
      ladder_(ladder),
      rungs_(static_cast<Index>(temperature_.size())),
      tolerance_(tolerance_of(form)),
      replicas_(arrangement, rungs_),
      descending_(arrangement, (rungs_ + 1) / 2),
      replica_at_(temperature_.size()) {
  std::iota(replica_at_.begin(), replica_at_.end(), Index{0});
  for (Index n = 0; n < rungs_; ++n) replicas_.randomise(n, seed_, seed_name(n));
  forget_counts();
}

template <class Number>
void LadderSearch<Number>::advance(Index sweeps, double target, int threads) {
  const auto begun = Clock::now();
  const double before = seconds_;
  const auto mark_time = [&] {
    seconds_ = before + std::chrono::duration<double>(Clock::now() - begun).count();
  };
  for (Index n = 0; n < sweeps && !has_reached(target); ++n) {
    sweep_once(threads);
    exchange();
    count();
    if (sweeps_ % sweeps_of_descent != 0) continue;
    mark_time();
    look_below(threads);
  }
  mark_time();
}

template <class Number>
void LadderSearch<Number>::sweep_once(int threads) {
  const RandomKey key{seed_, first_step_ + static_cast<std::uint64_t>(sweeps_),
                      Stream::problem_update};
  const bool renews = !form_->whole && sweeps_ % sweeps_of_fields == 0;
  parallel_for(threads, rungs_, [&](Index rung) {
    const Index n = replica_at_[static_cast<std::size_t>(rung)];
    if (renews) replicas_.renew(n);
    replicas_.sweep(n, temperature_[static_cast<std::size_t>(rung)], key, seed_name(n), 1);
  });
  ++sweeps_;
}

template <class Number>
void LadderSearch<Number>::exchange() {
  const RandomKey key{seed_, first_step_ + static_cast<std::uint64_t>(sweeps_),
                      Stream::temperature_exchange};
  for (Index lower = sweeps_ % 2; lower + 1 < rungs_; lower += 2) {
    const auto rung = static_cast<std::size_t>(lower);
    Index &a = replica_at_[rung], &b = replica_at_[rung + 1];
    const double exponent = (1 / temperature_[rung] - 1 / temperature_[rung + 1]) *
                            (replicas_.energy(a) - replicas_.energy(b));
    proposed_[rung] += 1;
    if (!tempering::exchange_accepted(exponent, key, lower, ladder_)) continue;
    std::swap(a, b);
    accepted_[rung] += 1;
  }
}

template <class Number>
void LadderSearch<Number>::count() {
  for (std::size_t rung = 0; rung < replica_at_.size(); ++rung) {
    const double energy = replicas_.energy(replica_at_[rung]);
    if (counted_ == 0) reference_[rung] = energy;
    const double difference = energy - reference_[rung];
    sum_[rung] += difference;
    sum_of_squares_[rung] += difference * difference;
  }
  ++counted_;
}

template <class Number>
void LadderSearch<Number>::look_below(int threads) {
  const Index cold = (rungs_ + 1) / 2;
  parallel_for(threads, cold, [&](Index rung) {
    descending_.copy(rung, replicas_, replica_at_[static_cast<std::size_t>(rung)]);
    descending_.descend(rung, tolerance_);
  });
  for (Index rung = 0; rung < cold; ++rung) {
    if (!(descending_.energy(rung) < found_.energy - tolerance_)) continue;
    found_ = {descending_.energy(rung), descending_.state(rung), sweeps_, seconds_};
    if (!form_->whole) found_.energy = energy_of(*form_, found_.state);
  }
}

template <class Number>
void LadderSearch<Number>::forget_counts() {
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

}  // namespace larmor::problems
