// larmor bench glass: measures ladders of samples of the Edwards-Anderson spin glass. A word holds
// the spins of 64 samples.

#include "bench/glass.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/samples/sample_ladders.hpp"
#include "larmor/study/run/device.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::bench {
namespace {

constexpr Index rungs = 24, measured_every = 10;
/// k_B T / J at both ends of the ladder, below and above the transition at 1.10.
constexpr double coldest = 0.8, hottest = 2.0;

ising::SampleLadders made(Index length, Index of_rungs, Index samples, const Device& device) {
  ising::SampleLadders ladders(ising::grid_graph({{length, length, length}, {}}), {1, true, 1},
                               {of_rungs, 1, samples}, 1, device);
  ladders.samples().randomise(1);
  ladders.set_ladder(
      tempering::spaced_ladder(coldest, hottest, of_rungs, tempering::RungScale::logarithmic));
  return ladders;
}

/// Sums over the bonds of the samples at each rung, [rungs].
std::vector<double> bonds_by_rung(const ising::SampleLadders& ladders) {
  const std::vector<std::int64_t> bonds = ladders.samples().sums().bonds;
  const std::vector<std::int32_t> rung = ladders.samples().rungs_on_host();
  std::vector<double> sums(static_cast<std::size_t>(ladders.layout().rungs));
  for (std::size_t n = 0; n < bonds.size(); ++n)
    sums[static_cast<std::size_t>(rung[n])] += static_cast<double>(bonds[n]);
  return sums;
}

/// @throws InternalError if other numbers of threads, or a GPU, give other spins or rungs
void require_same_bits(Index length, const Device& device) {
  const auto state_on = [&](const Device& tested) {
    ising::SampleLadders ladders = made(length, 5, 2 * ising::samples_of_word, tested);
    UpdateCounter steps;
    ladders.run(20, 1, steps);
    return ladders.state();
  };
  const ising::SampleLadderState one = state_on(Device::cpu(1)), other = state_on(device);
  if (one.spins != other.spins || one.rungs != other.rungs || one.accepted != other.accepted ||
      one.round_trips != other.round_trips)
    throw InternalError(
        "the bits of the ladders differ between this device and one thread of a CPU");
}

GlassLaddersMeasured measured_ladders(Index length, const std::string& name, Index samples,
                                      const Device& device) {
  ising::SampleLadders ladders = made(length, rungs, samples, device);
  UpdateCounter steps;
  ladders.run(2 * measured_every, 1, steps);
  ladders.reset_counts();
  const Index sweeps = measured_every * times_that_take(0.2, [&] {
                         ladders.run(measured_every, 1, steps);
                         synchronise(device);
                       });
  std::vector<double> bonds;
  const auto run = [&](Index at_once, Index every) {
    ladders.run(at_once, every, steps);
    synchronise(device);
  };
  const std::vector<double> seconds =
      best_seconds_in_turn({[&] { run(sweeps, 0); }, [&] { run(sweeps, 1); },
                            [&] {
                              for (Index n = 0; n < sweeps; n += measured_every) {
                                ladders.run(measured_every, 1, steps);
                                bonds = bonds_by_rung(ladders);
                              }
                            }});
  if (!(bonds.front() > bonds.back()))
    throw InternalError("the coldest rung of a spin glass does not have the lowest energy");
  const auto updates = static_cast<double>(sweeps * ladders.sites() * ladders.samples().samples());
  GlassLaddersMeasured found{name,
                             length,
                             rungs,
                             samples,
                             seconds[0] / updates,
                             seconds[1] / updates,
                             seconds[2] / updates,
                             {}};
  const ising::LadderExchangeCounts counts = ladders.counts();
  const double proposals =
      static_cast<double>((counts.proposed[0] + counts.proposed[1]) * samples) / 2;
  found.acceptance.resize(static_cast<std::size_t>(rungs - 1));
  for (std::size_t n = 0; n < counts.accepted.size(); ++n)
    found.acceptance[n % found.acceptance.size()] +=
        static_cast<double>(counts.accepted[n]) / proposals;
  return found;
}

}  // namespace

void bench_glass(const Device& device, BenchChoice& choice, const GlassBenchOptions& options) {
  GlassSpeeds measured{study::device_text(device), measured_every, {}};
  fmt::print("Edwards-Anderson spin glass of +-J bonds, {} rungs from k_B T = {} J to {} J, {}\n",
             rungs, coldest, hottest, measured.device);
  fmt::print(
      "ps an update of a spin; 'alone': without exchanges; exchanges: with one after every "
      "sweep;\nmeasured: with exchanges, and energies by rung every {} sweeps.\nThe bits are "
      "compared with the bits of one thread of a CPU.\n\n",
      measured_every);
  fmt::print("{:<30} {:>8} {:>10} {:>10} {:>10} {:>20}\n", "ladders", "samples", "alone",
             "exchanges", "measured", "acceptance");
  const bool on_cpu = device.backend == Backend::cpu;
  // A CPU gets one word of samples for each thread. A GPU gets 216 words.
  const Index samples = ising::samples_of_word * (on_cpu ? std::max(1, device.threads) : 216);
  for (const Index length : {8, 12, 16}) {
    const std::string name = fmt::format("{}^3", length);
    if (!choice.wants(name)) continue;
    std::fflush(stdout);
    require_same_bits(length, device);
    const GlassLaddersMeasured found = measured_ladders(length, name, samples, device);
    const auto [low, high] = std::ranges::minmax(found.acceptance);
    fmt::print("{:<30} {:>8} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.2f} to {:>4.2f}\n", name, samples,
               1e12 * found.alone, 1e12 * found.exchanged, 1e12 * found.measured, low, high);
    measured.ladders.push_back(found);
  }
  if (!options.json.empty()) write_glass(measured, options.json);
}

}  // namespace larmor::bench
