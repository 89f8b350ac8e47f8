#include "larmor/tempering/spacing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "larmor/core/error.hpp"

namespace larmor::tempering {
namespace {

/// The length of a pair counts as at least this fraction of the mean length, so that gaps grow by a
/// bounded factor.
constexpr double shortest = 1e-3;
/// Estimated rates below this are lost to rounding, and erfc has no smaller values.
constexpr double least_rate = 1e-300;
/// If so many proposals were all rejected, the exchange is significantly rare.
constexpr double enough_proposals = 200;
/// Acceptance that a remedy aims at.
constexpr double good_acceptance = 0.2;
/// A gap below this fraction of the mean has been narrowed without success.
constexpr double narrow = 0.02;

double coordinate(double value, RungScale scale) {
  return scale == RungScale::logarithmic ? std::log(value) : value;
}

double value_at(double coordinate, RungScale scale) {
  return scale == RungScale::logarithmic ? std::exp(coordinate) : coordinate;
}

bool moves_one_way(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::ranges::greater_equal{}) == values.end() ||
         std::ranges::adjacent_find(values, std::ranges::less_equal{}) == values.end();
}

double sum_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void require_fitting(const std::vector<double>& ladder, RungScale scale, std::size_t pairs) {
  if (fault_of_values(ladder, scale, "")) throw InternalError("the ladder to be tuned is invalid");
  if (pairs != ladder.size() - 1)
    throw InternalError("a ladder is tuned with the counts of another ladder");
}

/// x with erfc(x) = rate.
double inverse_erfc(double rate) {
  double low = 0, high = 27;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(middle) > rate ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> lengths_of(const PairRates& rates) {
  std::vector<double> length(rates.rate.size());
  for (std::size_t pair = 0; pair < length.size(); ++pair)
    length[pair] = pair_length(rates.rate[pair], rates.proposals[pair]);
  return length;
}

/// Rungs that divide the weight of all gaps evenly. Within a gap the weight is uniform on the
/// scale.
/// @param damping the fraction of the way that rungs move
std::vector<double> evenly_weighted(const std::vector<double>& ladder, RungScale scale,
                                    const std::vector<double>& weight, double damping) {
  const std::size_t last = ladder.size() - 1;
  std::vector<double> moved = ladder;
  if (!(sum_of(weight) > 0)) return ladder;
  std::size_t gap = 0;
  double before = 0;  // weight of the gaps before this one
  for (std::size_t rung = 1; rung < last; ++rung) {
    const double wanted = sum_of(weight) * static_cast<double>(rung) / static_cast<double>(last);
    while (gap + 1 < last && before + weight[gap] < wanted) before += weight[gap++];
    const double here = coordinate(ladder[gap], scale);
    const double next = coordinate(ladder[gap + 1], scale);
    const double fraction = std::min(1.0, (wanted - before) / weight[gap]);
    const double target = here + (next - here) * fraction;
    const double old = coordinate(ladder[rung], scale);
    moved[rung] = value_at(old + damping * (target - old), scale);
  }
  // Rounding can close very narrow gaps.
  return moves_one_way(moved) ? moved : ladder;
}

/// Length of the longest pair of a moved ladder. The lengths are measured between the rungs of the
/// old ladder.
double longest_pair(const std::vector<double>& moved, const std::vector<double>& ladder,
                    RungScale scale, const std::vector<double>& length) {
  const auto length_up_to = [&](double value) {
    double sum = 0;
    for (std::size_t gap = 0; gap < length.size(); ++gap) {
      const double here = coordinate(ladder[gap], scale);
      const double next = coordinate(ladder[gap + 1], scale);
      const double fraction = (coordinate(value, scale) - here) / (next - here);
      sum += length[gap] * std::clamp(fraction, 0.0, 1.0);
    }
    return sum;
  };
  double longest = 0;
  for (std::size_t rung = 1; rung < moved.size(); ++rung)
    longest = std::max(longest, length_up_to(moved[rung]) - length_up_to(moved[rung - 1]));
  return longest;
}

}  // namespace

std::vector<double> spaced_ladder(double first, double last, Index rungs, RungScale scale) {
  if (rungs < 2 || fault_of_values({first, last}, scale, ""))
    throw InternalError("a ladder has fewer than two rungs, or invalid ends");
  const double begin = coordinate(first, scale), end = coordinate(last, scale);
  std::vector<double> ladder{first};
  for (Index rung = 1; rung < rungs - 1; ++rung)
    ladder.push_back(value_at(
        begin + (end - begin) * static_cast<double>(rung) / static_cast<double>(rungs - 1), scale));
  ladder.push_back(last);
  return ladder;
}

std::optional<LadderFault> fault_of_values(const std::vector<double>& ladder, RungScale scale,
                                           const std::string& name) {
  if (ladder.size() < 2)
    return LadderFault{fmt::format("{} has {}, which makes no ladder", name,
                                   ladder.empty() ? "no value" : "one value"),
                       "give two rungs or more, between which replicas can be exchanged"};
  for (const double value : ladder) {
    if (!std::isfinite(value))
      return LadderFault{fmt::format("{} has a rung that is not a finite number", name),
                         "give a finite number for each rung"};
    if (scale == RungScale::logarithmic && value <= 0)
      return LadderFault{fmt::format("{} has the rung {}", name, value),
                         "give a positive number for each rung"};
  }
  if (moves_one_way(ladder)) return std::nullopt;
  for (std::size_t rung = 1; rung < ladder.size(); ++rung)
    if (ladder[rung] == ladder[rung - 1])
      return LadderFault{fmt::format("{} has the rung {} twice", name, ladder[rung]),
                         "give each rung once"};
  return LadderFault{fmt::format("the rungs of {} are not in order", name),
                     "sort the values, so that neighbours can be exchanged"};
}

double estimated_acceptance(const RungEnergy& a, const RungEnergy& b) {
  // The exponent (b' - b) (E' - E) is normal, with this mean m and this variance s^2:
  //     <min(1, exp(x))> = Phi(m / s) + exp(m + s^2 / 2) Phi(-(m + s^2) / s).
  const double mean = (b.b - a.b) * (b.mean - a.mean);
  const double variance = (b.b - a.b) * (b.b - a.b) * (a.variance + b.variance);
  if (!(variance > 0)) return std::min(1.0, std::exp(mean));
  const double s = std::sqrt(2 * variance), z = (mean + variance) / s;
  // The factors of the second term can overflow or underflow, even if their product does not.
  const double second =
      z < 20 ? std::exp(mean + variance / 2) * std::erfc(z)
             : std::exp(-mean * mean / (2 * variance)) / (z * std::sqrt(std::acos(-1.0)));
  return std::min(1.0, (std::erfc(-mean / s) + second) / 2);
}

PairRates estimated_rates(const std::vector<RungEnergy>& rungs) {
  PairRates rates;
  for (std::size_t rung = 1; rung < rungs.size(); ++rung) {
    rates.rate.push_back(estimated_acceptance(rungs[rung - 1], rungs[rung]));
    rates.proposals.push_back(std::numeric_limits<double>::infinity());
  }
  return rates;
}

double pair_length(double rate, double proposals) {
  // Half an accepted and half a rejected exchange are added, because a rate of 0 or 1 is uncertain.
  const double open = std::isinf(proposals) ? rate : (rate * proposals + 0.5) / (proposals + 1);
  return 2 * inverse_erfc(std::clamp(open, least_rate, 1.0));
}

std::vector<double> equal_acceptance_ladder(const std::vector<double>& ladder, RungScale scale,
                                            const PairRates& rates, double damping) {
  require_fitting(ladder, scale, rates.rate.size());
  std::vector<double> length = lengths_of(rates);
  const double floor = shortest * sum_of(length) / static_cast<double>(length.size());
  for (double& of_pair : length) of_pair = std::max(of_pair, floor);
  return evenly_weighted(ladder, scale, length, damping);
}

double equal_acceptance(const PairRates& rates, Index rungs) {
  return std::erfc(sum_of(lengths_of(rates)) / (2 * static_cast<double>(rungs - 1)));
}

Index rungs_for_acceptance(const PairRates& rates, double acceptance) {
  const double pairs = sum_of(lengths_of(rates)) / pair_length(acceptance, INFINITY);
  return 1 + std::max(Index{1}, static_cast<Index>(std::ceil(pairs)));
}

std::vector<double> monotone_flow(const FlowCounts& counts) {
  // If the flow rises between neighbours, they are pooled, until the flow rises nowhere. Among all
  // flows that never rise, the result is the nearest to the counts.
  struct Pool {
    double from_first, walkers;
    std::size_t begin, end;  // rungs
    double flow() const { return from_first / walkers; }
  };
  const std::size_t rungs = counts.from_first.size();
  std::vector<Pool> pools{{1, 1, 0, 1}};
  for (std::size_t rung = 1; rung + 1 < rungs; ++rung) {
    const double walkers = counts.from_first[rung] + counts.from_last[rung];
    if (walkers <= 0) continue;
    pools.push_back({counts.from_first[rung], walkers, rung, rung + 1});
    while (pools.size() > 2 && pools.back().flow() > pools[pools.size() - 2].flow()) {
      const Pool high = pools.back();
      pools.pop_back();
      Pool& low = pools.back();
      low = {low.from_first + high.from_first, low.walkers + high.walkers, low.begin, high.end};
    }
  }
  pools.push_back({0, 1, rungs - 1, rungs});
  std::vector<double> flow(rungs);
  for (std::size_t p = 0; p < pools.size(); ++p) {
    for (std::size_t rung = pools[p].begin; rung < pools[p].end; ++rung)
      flow[rung] = pools[p].flow();
    if (p == 0) continue;
    // Rungs without counts between two pools are interpolated.
    const std::size_t before = pools[p - 1].end - 1, gap = pools[p].begin - before;
    for (std::size_t n = 1; n < gap; ++n)
      flow[before + n] = std::lerp(flow[before], pools[p].flow(),
                                   static_cast<double>(n) / static_cast<double>(gap));
  }
  return flow;
}

std::vector<double> flow_falls(const FlowCounts& counts) {
  const std::vector<double> flow = monotone_flow(counts);
  std::vector<double> fall(flow.size() - 1);
  for (std::size_t pair = 0; pair < fall.size(); ++pair) fall[pair] = flow[pair] - flow[pair + 1];
  const double jump = counts.exchanges > 0 ? counts.round_trips / counts.exchanges : 0;
  fall.front() = std::max(0.0, fall.front() - jump);
  fall.back() = std::max(0.0, fall.back() - jump);
  return fall;
}

std::vector<double> feedback_ladder(const std::vector<double>& ladder, RungScale scale,
                                    const FlowCounts& counts, const PairRates& rates,
                                    const FeedbackSettings& settings) {
  require_fitting(ladder, scale, rates.rate.size());
  if (counts.from_first.size() != ladder.size() || counts.from_last.size() != ladder.size())
    throw InternalError("a ladder is tuned with the flow of another ladder");
  const std::vector<double> fall = flow_falls(counts), length = lengths_of(rates);
  const auto gaps = static_cast<double>(fall.size());
  const double prior = settings.prior_round_trips, falls = sum_of(fall);
  std::vector<double> weight(fall.size());
  for (std::size_t gap = 0; gap < fall.size(); ++gap) {
    const double fraction = falls > 0 ? fall[gap] / falls : 1 / gaps;
    weight[gap] = std::sqrt(fraction * counts.round_trips + prior / gaps);
  }
  const double weights = sum_of(weight), all = sum_of(length);
  const double longest = pair_length(settings.least_acceptance, INFINITY);
  // The pure lengths would make all pairs equal. They are mixed into the weights until no pair is
  // too long.
  std::vector<double> moved;
  constexpr int steps = 20;
  for (int step = 0; step <= steps; ++step) {
    const double mixed = static_cast<double>(step) / steps;
    std::vector<double> mixture(weight.size());
    for (std::size_t gap = 0; gap < weight.size(); ++gap)
      mixture[gap] = (1 - mixed) * weight[gap] / weights + mixed * length[gap] / all;
    moved = evenly_weighted(ladder, scale, mixture, 1);
    if (longest_pair(moved, ladder, scale, length) <= longest) break;
  }
  return moved;
}

std::optional<LadderFault> unconnected_pair(const std::vector<double>& ladder, RungScale scale,
                                            const PairRates& rates, const std::string& name) {
  require_fitting(ladder, scale, rates.rate.size());
  const double range =
      std::abs(coordinate(ladder.back(), scale) - coordinate(ladder.front(), scale));
  for (std::size_t pair = 0; pair < rates.rate.size(); ++pair) {
    if (rates.rate[pair] > 0 || rates.proposals[pair] < enough_proposals) continue;
    const std::string problem =
        fmt::format("none of {} exchanges between the rungs {:.6g} and {:.6g} of {} was accepted",
                    rates.proposals[pair], ladder[pair], ladder[pair + 1], name);
    const double gap =
        std::abs(coordinate(ladder[pair + 1], scale) - coordinate(ladder[pair], scale));
    if (gap * static_cast<double>(rates.rate.size()) < narrow * range)
      return LadderFault{
          problem, fmt::format("these rungs are close already, but their energies do not overlap: "
                               "the model has a first-order transition between these rungs; let {} "
                               "end before this transition, or take a smaller lattice",
                               name)};
    const Index wanted = rungs_for_acceptance(rates, good_acceptance);
    if (wanted <= static_cast<Index>(ladder.size()))
      return LadderFault{problem, "give a longer thermalisation, in which the rungs can move"};
    return LadderFault{
        problem, fmt::format("take {} rungs or more, or a narrower range of {}", wanted, name)};
  }
  return std::nullopt;
}

}  // namespace larmor::tempering
