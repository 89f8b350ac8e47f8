#include "larmor/ground_states/problem_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/core/device/parallel.hpp"

namespace larmor::ground_states {
namespace {

using tempering::RungScale;

/// BITS: these numbers set the effort of the search for temperatures.
constexpr Index states_looked_at = 8, states_with_pairs = 2;
constexpr Index ladders_of_tuning = 2;
constexpr Index first_rungs = 16;
constexpr Index sweeps_to_begin = 32, sweeps_to_count = 48, sweeps_of_block = 16;
constexpr int tuning_rounds = 3;
/// Steps of random keys in the tuning begin here, so tuning and search have separate random
/// numbers.
constexpr std::uint64_t step_of_tuning = std::uint64_t{1} << 39U;
/// Intended acceptance of exchanges between adjacent rungs.
constexpr double good_exchange_rate = 0.25;
constexpr Index fewest_rungs = 4, most_rungs = 64;
/// Sweeps flip pairs if a pair costs less than this fraction of the cost of a single flip.
constexpr double cheap = 0.25;
/// The hottest temperature, in units of the largest rms field.
constexpr double heat = 1;

double largest_rms_field(const SpinForm& form) {
  std::vector<double> squares(form.field.size());
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = form.field[i] * form.field[i];
  for (const Coupling& coupling : form.couplings) {
    squares[static_cast<std::size_t>(coupling.i)] += coupling.value * coupling.value;
    squares[static_cast<std::size_t>(coupling.j)] += coupling.value * coupling.value;
  }
  return std::sqrt(*std::ranges::max_element(squares));
}

double quantile(std::vector<double>& numbers, double fraction) {
  if (numbers.empty()) return 0;
  const auto nth = numbers.begin() +
                   static_cast<std::ptrdiff_t>(fraction * static_cast<double>(numbers.size() - 1));
  std::nth_element(numbers.begin(), nth, numbers.end());
  return *nth;
}

/// Energies that flips cost in local minima, without the flips that cost nothing. A value is 0 if
/// no flip costs energy.
struct Excitations {
  double of_spins;  ///< nine tenths of the single flips cost more
  double of_pairs;  ///< for half of the spins, a flip together with some partner costs less
};

/// The least cost of a flip of spin i together with another spin. @param free costs up to this one
/// count as nothing
template <class Number>
double least_of_pairs(const RowsView<Number>& rows, const ReplicaView<Number>& replica, Index i,
                      double free) {
  const Number* const row = rows.dense + i * rows.blocks * block_spins;
  const double single = -2.0 * replica.spin[i] * replica.field[i];
  double least = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < rows.spins; ++j) {
    const double both = single - 2.0 * replica.spin[j] * replica.field[j] +
                        4.0 * row[j] * replica.spin[i] * replica.spin[j];
    if (j != i && std::abs(both) > free) least = std::min(least, std::abs(both));
  }
  return least;
}

template <class Number>
Excitations excitations(const SpinForm& form, const Arrangement<Number>& arrangement,
                        std::uint64_t seed, const SearchEnd& end) {
  Replicas<Number> replicas(arrangement, states_looked_at);
  const RowsView<Number> rows = arrangement.rows();
  const double free = 2 * tolerance_of(form);
  std::vector<double> of_spins, of_pairs;
  for (Index n = 0; n < states_looked_at && !end.is_reached(); ++n) {
    replicas.randomise(n, seed, n);
    replicas.descend(n, tolerance_of(form));
    const ReplicaView<Number> view = replicas.view(n);
    for (Index i = 0; i < rows.spins && !end.is_reached(); ++i) {
      const double cost = 2 * std::abs(static_cast<double>(view.field[i]));
      if (cost > free) of_spins.push_back(cost);
      if (rows.dense == nullptr || n >= states_with_pairs) continue;
      const double least = least_of_pairs(rows, view, i, free);
      if (std::isfinite(least)) of_pairs.push_back(least);
    }
  }
  return {quantile(of_spins, 0.1), quantile(of_pairs, 0.5)};
}

/// Interpolates a ladder to another number of rungs. The new rungs are equally spaced in the number
/// of the old rung.
std::vector<double> with_rungs(const std::vector<double>& ladder, Index rungs) {
  std::vector<double> moved;
  const auto last = static_cast<double>(ladder.size() - 1);
  for (Index rung = 0; rung < rungs; ++rung) {
    const double place = last * static_cast<double>(rung) / static_cast<double>(rungs - 1);
    const auto below = std::min(static_cast<std::size_t>(place), ladder.size() - 2);
    moved.push_back(std::exp(std::lerp(std::log(ladder[below]), std::log(ladder[below + 1]),
                                       place - static_cast<double>(below))));
  }
  moved.front() = ladder.front();
  moved.back() = ladder.back();
  return moved;
}

/// Several ladders with equal temperatures.
template <class Number>
class Trial {
 public:
  Trial(const SpinForm& form, const Arrangement<Number>& arrangement,
        const std::vector<double>& temperatures, bool with_pairs, const SearchSettings& settings,
        const SearchEnd& end, int round)
      : threads_(settings.threads), spins_(form.size()) {
    for (Index n = 0; n < ladders_of_tuning; ++n)
      ladders_.emplace_back(form, arrangement, temperatures, with_pairs, settings.seed,
                            n + ladders_of_tuning * round, step_of_tuning, &end);
  }

  /// @param report called at intervals with the updates so far; false ends the trial
  /// @return false if `report` ended the trial
  template <class Report>
  bool run(const Report& report) {
    for (Index done = 0; done < sweeps_to_begin + sweeps_to_count; done += sweeps_of_block) {
      if (done == sweeps_to_begin)
        for (LadderSearch<Number>& ladder : ladders_) ladder.reset_counts();
      advance();
      if (!report(updates_of_sweep() * static_cast<double>(done + sweeps_of_block))) return false;
    }
    return true;
  }

  /// Updates of spins in a trial that is not ended early.
  double updates() const {
    return updates_of_sweep() * static_cast<double>(sweeps_to_begin + sweeps_to_count);
  }
  double updates_done() const {
    double updates = 0;
    for (const LadderSearch<Number>& ladder : ladders_)
      updates += static_cast<double>(ladder.sweeps() * ladder.replicas() * spins_);
    return updates;
  }
  const Found& lowest() {
    for (LadderSearch<Number>& ladder : ladders_) ladder.stop_early();
    return std::ranges::min_element(ladders_, {},
                                    [](const auto& ladder) { return ladder.found().energy; })
        ->found();
  }
  tempering::PairRates estimated() const {
    return mean_of(
        [](const auto& ladder) { return tempering::estimated_rates(ladder.energies()); });
  }
  tempering::PairRates counted() const {
    return mean_of([](const auto& ladder) { return ladder.rates(); });
  }

 private:
  int threads_;
  Index spins_;
  std::vector<LadderSearch<Number>> ladders_;

  double updates_of_sweep() const {
    return static_cast<double>(ladders_of_tuning) *
           static_cast<double>(ladders_.front().replicas() * spins_);
  }

  void advance() {
    constexpr double none = -std::numeric_limits<double>::infinity();
    // If there are more threads than ladders, the threads share the rungs of each ladder.
    const bool side_by_side = threads_ <= ladders_of_tuning;
    parallel_for(side_by_side ? threads_ : 1, ladders_of_tuning, [&](Index n) {
      ladders_[static_cast<std::size_t>(n)].advance(sweeps_of_block, none,
                                                    side_by_side ? 1 : threads_);
    });
  }

  template <class Rates>
  tempering::PairRates mean_of(const Rates& rates_of) const {
    tempering::PairRates mean = rates_of(ladders_.front());
    for (std::size_t n = 1; n < ladders_.size(); ++n) {
      const tempering::PairRates rates = rates_of(ladders_[n]);
      for (std::size_t pair = 0; pair < mean.rate.size(); ++pair) {
        mean.rate[pair] += rates.rate[pair];
        mean.proposals[pair] += rates.proposals[pair];
      }
    }
    for (double& rate : mean.rate) rate /= static_cast<double>(ladders_of_tuning);
    return mean;
  }
};

}  // namespace

template <class Number>
ProblemLadder temperature_range(const SpinForm& form, const Arrangement<Number>& arrangement,
                                const SearchSettings& settings, const SearchEnd& end) {
  // Converts temperatures from units of H to units of E, by H = (offset + factor E) / divisor.
  const double unit = form.divisor / form.factor;
  const double scale = largest_rms_field(form);
  ProblemLadder range{{1, 2}};
  if (scale == 0) return range;  // Every state is a ground state.
  const auto [of_spins, of_pairs] = excitations(form, arrangement, settings.seed, end);
  range.with_pairs = of_pairs > 0 && of_pairs < cheap * of_spins;
  const double cost = range.with_pairs ? of_pairs : of_spins;
  const double hottest = settings.hottest ? *settings.hottest * unit : heat * scale;
  double coldest = hottest / 10;
  if (cost > 0)
    coldest = std::min(coldest, cost / (2 + std::log(static_cast<double>(form.size()))));
  if (settings.coldest) coldest = *settings.coldest * unit;
  range.temperatures = {coldest, std::max(hottest, 2 * coldest)};
  return range;
}

template <class Number>
ProblemLadder problem_ladder(const SpinForm& form, const Arrangement<Number>& arrangement,
                             const SearchSettings& settings, const SearchEnd& end,
                             const std::function<bool(double, double)>& report) {
  ProblemLadder found = temperature_range(form, arrangement, settings, end);
  std::vector<double> ladder = tempering::spaced_ladder(
      found.temperatures.front(), found.temperatures.back(),
      settings.rungs > 0 ? settings.rungs : first_rungs, RungScale::logarithmic);
  for (int round = 0; round < tuning_rounds; ++round) {
    Trial<Number> trial(form, arrangement, ladder, found.with_pairs, settings, end, round);
    // The estimate assumes that later rounds are as long as this one.
    const double total = found.updates + trial.updates() * (tuning_rounds - round);
    const bool is_whole =
        trial.run([&](double updates) { return report(found.updates + updates, total); });
    found.updates += trial.updates_done();
    if (trial.lowest().energy < found.lowest.energy) found.lowest = trial.lowest();
    if (!is_whole) break;
    // In the first round, rungs may be too far apart for exchanges. Their rates are therefore
    // estimated from energies.
    const tempering::PairRates rates = round == 0 ? trial.estimated() : trial.counted();
    ladder = tempering::equal_acceptance_ladder(ladder, RungScale::logarithmic, rates);
    if (settings.rungs == 0)
      ladder =
          with_rungs(ladder, std::clamp(tempering::rungs_for_acceptance(rates, good_exchange_rate),
                                        fewest_rungs, most_rungs));
  }
  found.temperatures = ladder;
  return found;
}

template ProblemLadder temperature_range(const SpinForm&, const Arrangement<float>&,
                                         const SearchSettings&, const SearchEnd&);
template ProblemLadder temperature_range(const SpinForm&, const Arrangement<double>&,
                                         const SearchSettings&, const SearchEnd&);
template ProblemLadder problem_ladder(const SpinForm&, const Arrangement<float>&,
                                      const SearchSettings&, const SearchEnd&,
                                      const std::function<bool(double, double)>&);
template ProblemLadder problem_ladder(const SpinForm&, const Arrangement<double>&,
                                      const SearchSettings&, const SearchEnd&,
                                      const std::function<bool(double, double)>&);

}  // namespace larmor::ground_states
