// larmor bench tempering: measures the cost of exchanges of replicas relative to their sweeps, and
// round trips of ladders with different spacings of rungs.

#include "bench/tempering.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "bench/command.hpp"
#include "bench/tempered_system.hpp"
#include "bench/timing.hpp"
#include "larmor/core/statistics/replicas.hpp"
#include "larmor/ising/multispin/samples/sample_ladders.hpp"
#include "larmor/study/models/spins/sampling/spin_sampling.hpp"
#include "larmor/tempering/ladder_tuning.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::tempering;

std::unique_ptr<study::SamplerChoice> sampler_of_spins(const std::string& name,
                                                       const study::Study& study) {
  study::SpinSamplerKeys keys;
  keys.sampler = name;
  return study::SpinSampling::sampler(keys, study.context);
}

struct CostCase {
  const char* sampler;
  Index length, ladders;
};

/// Measures the cost of exchanges. Most rungs lie around the transition at T = 1.443 J, and some
/// lie far from it.
ExchangeCost cost_of(const CostCase& c, const std::string& name, const Device& device) {
  constexpr Index rungs = 32;
  const std::vector<double> ladder = spaced_ladder(0.7, 2.1, rungs, RungScale::logarithmic);
  TemperedSystem model_kind(
      fmt::format("replicas = {1}\n[lattice]\ntype = 'sc'\nsize = [{0}, {0}, {0}]\n[[exchange]]\n"
                  "shell = 1\nJ = 1\n",
                  c.length, rungs * c.ladders),
      [&](const study::Study& study) { return sampler_of_spins(c.sampler, study); }, device,
      ladder);
  model_kind.tune(5);
  const auto sweeps_in = [&](double seconds) {
    constexpr Index at_once = 10;
    return at_once * times_that_take(seconds, [&] {
             model_kind.sweep(at_once);
             synchronise(device);
           });
  };
  const Index sweeps = sweeps_in(0.3);
  constexpr Index intervals[] = {1, 10};
  std::vector<std::function<void()>> works{[&] {
    model_kind.sweep(sweeps);
    synchronise(device);
  }};
  for (const Index interval : intervals)
    works.push_back([&, interval] {
      model_kind.exchange(sweeps / interval, interval);
      synchronise(device);
    });
  const std::vector<double> seconds = best_seconds_in_turn(works);
  ExchangeCost cost{name, seconds[0] / static_cast<double>(sweeps), {}};
  for (std::size_t n = 0; n < std::size(intervals); ++n)
    cost.with.emplace_back(intervals[n], seconds[n + 1] / static_cast<double>(sweeps));
  return cost;
}

void bench_costs(const Device& device, BenchChoice& choice, TemperingMeasured& measured) {
  std::vector<CostCase> cases{{"metropolis", 16, 1}, {"heat-bath", 16, 1}};
  if (device.backend == Backend::cuda)
    cases.insert(cases.end(),
                 {{"metropolis", 16, 16}, {"heat-bath", 16, 16}, {"metropolis", 32, 1}});
  bool is_first = true;
  for (const CostCase& c : cases) {
    const std::string name =
        fmt::format("Heisenberg {}^3 x 32 rungs{}, {}", c.length,
                    c.ladders > 1 ? fmt::format(" x {}", c.ladders) : "", c.sampler);
    if (!choice.wants(name)) continue;
    if (is_first)
      fmt::print("{:<44} {:>12} {:>16} {:>18}\n", "ladders", "us/sweep", "exchange every 1",
                 "every 10 sweeps");
    is_first = false;
    std::fflush(stdout);
    const ExchangeCost cost = cost_of(c, name, device);
    const auto added = [&](std::size_t n) {
      return 100 * (cost.with[n].second / cost.seconds - 1);
    };
    fmt::print("{:<44} {:>12.1f} {:>+15.1f}% {:>+17.1f}%\n", name, 1e6 * cost.seconds, added(0),
               added(1));
    measured.costs.push_back(cost);
  }
}

/// Samples of a spin glass of +-J bonds, on ladders with equal temperatures of the rungs.
class GlassLadders {
 public:
  static constexpr Index length = 8;

  GlassLadders(Index samples, const std::vector<double>& ladder, const Device& device)
      : glass_(ising::grid_graph({{length, length, length}, {}}), {1, true, 1},
               {std::ssize(ladder), 1, samples}, 1, device) {
    glass_.samples().randomise(1);
    set_ladder(ladder);
  }

  void set_ladder(const std::vector<double>& ladder) {
    values_ = ladder;
    glass_.set_ladder(ladder);
  }
  /// Makes exchanges, each after one sweep. Counting begins after the first exchanges of the round.
  LadderCounts exchange(const TuningRound& round) {
    // With an even number of exchanges, both halves of the pairs are proposed equally often.
    const Index counted = round.counted / 2 * 2;
    glass_.run(round.settling, 1, steps_);
    glass_.reset_counts();
    glass_.run(counted, 1, steps_);
    const ising::LadderExchangeCounts found = glass_.counts();
    const auto numbers = [](const std::vector<std::int64_t>& counts, double each) {
      std::vector<double> all;
      for (const std::int64_t count : counts) all.push_back(static_cast<double>(count) / each);
      return all;
    };
    const auto exchanges = static_cast<double>(counted);
    return {values_,
            numbers(found.from_first, 1),
            numbers(found.from_last, 1),
            numbers(found.accepted, exchanges / 2),
            numbers(found.round_trips, 1),
            exchanges,
            exchanges};
  }

 private:
  std::vector<double> values_;
  ising::SampleLadders glass_;
  UpdateCounter steps_;
};

/// Ratio of the round trips of two spacings, `counts` over `first`. Each entry of round_trips
/// belongs to one ladder of a sample, and the error is their jackknife error.
Uncertain gain_of(const LadderCounts& counts, const LadderCounts& first) {
  double sum = 0, sum_of_first = 0;
  for (const double trips : counts.round_trips) sum += trips;
  for (const double trips : first.round_trips) sum_of_first += trips;
  std::vector<double> left;
  for (std::size_t n = 0; n < counts.round_trips.size(); ++n)
    left.push_back((sum - counts.round_trips[n]) / (sum_of_first - first.round_trips[n]));
  return {sum / sum_of_first, jackknife_error(left)};
}

struct NamedSpacing {
  Spacing spacing;
  const char* name;
};

/// Measures round trips of ladders with `rungs` rungs, which are tuned for each spacing.
GlassMeasured measured_glass(const std::string& name, Index rungs, const Device& device) {
  constexpr Index thermalisation = 12800, counted = 20000;
  const Index samples = device.backend == Backend::cpu ? 64 : 2048;
  GlassMeasured glass{fmt::format("{} from T = 0.2 J to 2 J, {} samples", name, samples), {}};
  fmt::print("\n{}, an exchange every sweep\n\n", glass.name);
  fmt::print("{:<22} {:>26} {:>10} {:>18} {:>20}\n", "spacing", "round trips/1000 sweeps",
             "allowed", "acceptance", "over geometric");
  const std::vector<double> geometric = spaced_ladder(0.2, 2, rungs, RungScale::logarithmic);
  LadderCounts first;
  for (const auto& [spacing, spacing_name] :
       {NamedSpacing{Spacing::geometric, "geometric"},
        NamedSpacing{Spacing::equal_acceptance, "constant-acceptance"},
        NamedSpacing{Spacing::flow, "flow"}}) {
    std::fflush(stdout);
    GlassLadders ladders(samples, geometric, device);
    LadderTuning tuning(geometric, RungScale::logarithmic, spacing, thermalisation);
    Index spent = 0;
    while (const auto round = tuning.round()) {
      const LadderCounts counts = ladders.exchange(*round);
      spent += round->settling + round->counted;
      tuning.end_round(pair_rates(counts), flow_counts(counts));
      ladders.set_ladder(tuning.ladder());
    }
    const LadderCounts counts = ladders.exchange({thermalisation - spent, counted});
    if (spacing == Spacing::geometric) first = counts;
    const SpacingMeasured& found =
        glass.spacings.emplace_back(spacing_name, report_of(counts), gain_of(counts, first));
    const RoundTripReport& report = found.report;
    const auto [low, high] = std::ranges::minmax_element(report.acceptance, {}, &Uncertain::value);
    fmt::print(
        "{:<22} {:>15.2f} +- {:>6.2f} {:>11.2f} {:>10.2f} to {:>4.2f} {:>11.2f} +- {:>4.2f}\n",
        spacing_name, 1e3 * report.rate.value, 1e3 * report.rate.error,
        1e3 * report.rate_of_exchanges, low->value, high->value, found.gain.value,
        found.gain.error);
  }
  return glass;
}

/// Measures short and long ladders. With few rungs the spacing of rungs matters. With many rungs,
/// the loss of memory between exchanges matters.
void bench_glasses(const Device& device, BenchChoice& choice, TemperingMeasured& measured) {
  for (const Index rungs : {10, 16}) {
    const std::string name =
        fmt::format("Edwards-Anderson {}^3, {} rungs", GlassLadders::length, rungs);
    if (choice.wants(name)) measured.glasses.push_back(measured_glass(name, rungs, device));
  }
}

}  // namespace

void bench_tempering(const Device& device, BenchChoice& choice,
                     const TemperingBenchOptions& options) {
  fmt::print("Ladders of replicas that exchange their temperatures, {}\n",
             study::device_text(device));
  fmt::print(
      "allowed: round trips that the acceptances would allow if energies were independent at each "
      "exchange\n\n");
  TemperingMeasured measured;
  measured.device = study::device_text(device);
  bench_costs(device, choice, measured);
  bench_glasses(device, choice, measured);
  if (!options.json.empty()) write_tempering(measured, options.json);
}

}  // namespace larmor::bench
