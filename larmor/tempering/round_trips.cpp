#include "larmor/tempering/round_trips.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/statistics/replicas.hpp"

namespace larmor::tempering {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// A pair exchanges rarely if its acceptance is less than this fraction of the median.
constexpr double rare = 1 / 3.0;
/// A gap is a bottleneck if the flow falls there by more than this many times the mean fall.
constexpr double steep = 3;
/// The fall must also be more than this many times the fall that the acceptance of the gap
/// explains.
constexpr double unexplained = 1.5;
/// A number of round trips below which they do not show where the flow falls.
constexpr double telling_round_trips = 20;

void require_fitting(const LadderCounts& counts) {
  const std::size_t rungs = counts.values.size(), ladders = counts.round_trips.size();
  if (rungs < 2 || ladders < 1 || counts.from_first.size() != rungs * ladders ||
      counts.from_last.size() != rungs * ladders ||
      counts.acceptance.size() != (rungs - 1) * ladders)
    throw InternalError("the counts of ladders differ in size");
}

/// The sum over ladders of the numbers (ladder, number).
std::vector<double> summed(const std::vector<double>& numbers, std::size_t ladders) {
  std::vector<double> sum(numbers.size() / ladders);
  for (std::size_t n = 0; n < numbers.size(); ++n) sum[n % sum.size()] += numbers[n];
  return sum;
}

/// The value over all ladders, and its jackknife error over ladders.
/// @param of_others of_others(n) is the value without ladder n; n = `ladders` leaves none out
Uncertain jackknifed(std::size_t ladders, const std::function<double(std::size_t)>& of_others) {
  std::vector<double> left;
  for (std::size_t ladder = 0; ladders > 1 && ladder < ladders; ++ladder)
    left.push_back(of_others(ladder));
  return {of_others(ladders), jackknife_error(left)};
}

/// Sum over ladders of number `n` of each ladder, without one ladder.
double sum_without(const std::vector<double>& numbers, const std::vector<double>& sum,
                   std::size_t n, std::size_t ladder) {
  const std::size_t place = ladder * sum.size() + n;
  return sum[n] - (place < numbers.size() ? numbers[place] : 0);
}

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// Resistance of a pair whose energies are drawn anew between exchanges.
double resistance(double acceptance) { return (1 - acceptance) / acceptance; }

std::vector<Bottleneck> bottlenecks_of(const std::vector<double>& acceptance,
                                       const std::vector<double>& fall, double round_trips) {
  const double usual = median(acceptance);
  double falls = 0, resistances = 0;
  for (std::size_t pair = 0; pair < fall.size(); ++pair) {
    falls += fall[pair];
    resistances += resistance(acceptance[pair]);
  }
  std::vector<Bottleneck> found;
  for (std::size_t pair = 0; pair < fall.size(); ++pair) {
    const bool rarely = acceptance[pair] < rare * usual;
    const double share = fall[pair] / falls;
    const bool comes_back = round_trips >= telling_round_trips &&
                            share * static_cast<double>(fall.size()) > steep &&
                            share > unexplained * resistance(acceptance[pair]) / resistances;
    if (rarely || comes_back) found.push_back({static_cast<Index>(pair), acceptance[pair], rarely});
  }
  return found;
}

std::string text_of(const Uncertain& number) {
  const std::string value = fmt::format("{:.3g}", number.value);
  return std::isnan(number.error) ? value : value + fmt::format(" +- {:.1g}", number.error);
}

}  // namespace

FlowCounts flow_counts(const LadderCounts& counts) {
  require_fitting(counts);
  const std::size_t ladders = counts.round_trips.size();
  return {summed(counts.from_first, ladders), summed(counts.from_last, ladders),
          summed(counts.round_trips, ladders)[0], counts.exchanges * static_cast<double>(ladders)};
}

PairRates pair_rates(const LadderCounts& counts) {
  require_fitting(counts);
  const std::size_t ladders = counts.round_trips.size();
  const auto all = static_cast<double>(ladders);
  PairRates rates{summed(counts.acceptance, ladders), {}};
  for (double& rate : rates.rate) rate /= all;
  // Each exchange proposes one half of the pairs.
  rates.proposals.assign(rates.rate.size(), all * std::floor(counts.exchanges / 2));
  return rates;
}

RoundTripReport report_of(const LadderCounts& counts) {
  const FlowCounts all = flow_counts(counts);
  const std::size_t ladders = counts.round_trips.size(), rungs = counts.values.size();
  RoundTripReport report;
  report.values = counts.values;
  report.ladders = static_cast<Index>(ladders);
  report.sweeps = counts.sweeps;
  // Number of ladders that are not left out.
  const auto there = [&](std::size_t left_out) {
    return static_cast<double>(left_out < ladders ? ladders - 1 : ladders);
  };

  const std::vector<double> accepted = summed(counts.acceptance, ladders);
  std::vector<double> acceptance;
  double resistances = 0;
  for (std::size_t pair = 0; pair + 1 < rungs; ++pair) {
    report.acceptance.push_back(jackknifed(ladders, [&](std::size_t left_out) {
      return sum_without(counts.acceptance, accepted, pair, left_out) / there(left_out);
    }));
    acceptance.push_back(report.acceptance.back().value);
    resistances += resistance(acceptance.back());
  }
  for (std::size_t rung = 0; rung < rungs; ++rung)
    report.flow.push_back(jackknifed(ladders, [&](std::size_t left_out) {
      const double up = sum_without(counts.from_first, all.from_first, rung, left_out);
      return up / (up + sum_without(counts.from_last, all.from_last, rung, left_out));
    }));

  const auto rate_without = [&](std::size_t left_out) {
    return sum_without(counts.round_trips, {all.round_trips}, 0, left_out) /
           (there(left_out) * counts.sweeps);
  };
  const auto time_without = [&](std::size_t left_out) {
    return static_cast<double>(rungs) / rate_without(left_out);
  };
  report.rate = jackknifed(ladders, rate_without);
  report.time =
      all.round_trips > 0 ? jackknifed(ladders, time_without) : Uncertain{unknown, unknown};
  report.rate_of_exchanges = counts.exchanges / counts.sweeps / (2 + 2 * resistances);

  const std::vector<double> fall = flow_falls(all);
  for (const double of_pair : fall) {
    const bool is_known = all.round_trips > 0 && of_pair > 0;
    report.diffusivity.push_back(is_known ? report.rate.value / of_pair : unknown);
  }
  report.bottlenecks = bottlenecks_of(acceptance, fall, all.round_trips);
  return report;
}

std::vector<std::string> lines_of(const RoundTripReport& report, const std::string& name,
                                  const std::string& sweep) {
  std::vector<std::string> lines;
  if (report.rate.value > 0) {
    lines.push_back(fmt::format(
        "round trips of a ladder: {} in a {}; a replica takes {} {}s for one round trip",
        text_of(report.rate), sweep, text_of(report.time), sweep));
    lines.push_back(
        fmt::format("the acceptances would allow {:.3g} round trips in a {}, {:.1f} times as many",
                    report.rate_of_exchanges, sweep, report.rate_of_exchanges / report.rate.value));
  } else {
    lines.push_back(fmt::format("no replica made a round trip in {:.0f} {}s of {} {}",
                                report.sweeps, sweep, report.ladders,
                                report.ladders == 1 ? "ladder" : "ladders"));
  }
  const auto [low, high] = std::ranges::minmax_element(report.acceptance, {}, &Uncertain::value);
  lines.push_back(
      fmt::format("acceptance of neighbouring rungs: {:.3g} to {:.3g}", low->value, high->value));
  for (const Bottleneck& at : report.bottlenecks) {
    const auto rung = static_cast<std::size_t>(at.lower_rung);
    const std::string place = fmt::format("between the rungs {:.6g} and {:.6g} of {}",
                                          report.values[rung], report.values[rung + 1], name);
    lines.push_back(at.exchanges_rarely
                        ? fmt::format("bottleneck {}: only {:.2g} of the exchanges are accepted",
                                      place, at.acceptance)
                        : fmt::format("bottleneck {}: replicas exchange with acceptance {:.2g}, "
                                      "but come back, because their energies change slowly",
                                      place, at.acceptance));
  }
  return lines;
}

}  // namespace larmor::tempering
