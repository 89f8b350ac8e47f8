#include "larmor/problems/search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/problems/problem_ladder.hpp"

namespace larmor::problems {
namespace {

using Clock = std::chrono::steady_clock;

/// Updates of spins that a thread does before anybody asks whether to go on.
constexpr double updates_of_portion = 2e7;
constexpr double infinite = std::numeric_limits<double>::infinity();

class SearchWatch {
 public:
  SearchWatch(const SearchSettings& settings,
              const std::function<bool(const SearchProgress&)>& watch)
      : settings_(settings), watch_(watch), begun_(Clock::now()) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  /// Is the search to go on?
  bool goes_on(const char* stage, double done, double total, double least) {
    const double time = seconds();
    if (std::isfinite(settings_.seconds) && time > 0)
      total = std::min(total, std::max(done, done / time * settings_.seconds));
    return watch_({stage, done, total, least}) && time < settings_.seconds;
  }

 private:
  const SearchSettings& settings_;
  const std::function<bool(const SearchProgress&)>& watch_;
  Clock::time_point begun_;
};

template <class Number>
class Search {
 public:
  Search(const QuadraticProblem& problem, const SpinForm& form, const SearchSettings& settings,
         const std::function<bool(const SearchProgress&)>& watch)
      : problem_(problem),
        form_(form),
        arrangement_(form),
        settings_(settings),
        watch_(settings, watch),
        target_(settings.target ? form.energy(*settings.target) + margin_of(form) : -infinite) {}

  SearchResult run() {
    settings_.method == SearchMethod::tempering ? temper() : anneal();
    result_.seconds = watch_.seconds();
    return std::move(result_);
  }

 private:
  const QuadraticProblem& problem_;
  const SpinForm& form_;
  Arrangement<Number> arrangement_;
  const SearchSettings& settings_;
  SearchWatch watch_;
  double target_;
  SearchResult result_;

  double spins() const { return static_cast<double>(form_.size()); }

  void keep_temperatures(const ProblemLadder& ladder) {
    for (const double temperature : ladder.temperatures)
      result_.temperatures.push_back(temperature * form_.factor / form_.divisor);
    result_.updates += ladder.updates;
    result_.ladder_seconds = watch_.seconds();
  }

  /// @param bytes of a repeat
  void require_memory(double bytes) const {
    const double all = bytes * static_cast<double>(settings_.repeats);
    const auto there = static_cast<double>(available_memory());
    if (all <= there) return;
    throw MachineError(
        fmt::format("{} repeats need {:.3g} GB of memory, and {:.3g} GB are free; "
                    "take fewer --repeats, or fewer --rungs",
                    settings_.repeats, all / 1e9, there / 1e9));
  }

  void keep(const Found& found, Index sweeps) {
    const double value = form_.whole ? form_.value(found.energy) : value_of(problem_, found.state);
    result_.repeats.push_back({value, found.state, sweeps, found.at, found.after});
  }

  void temper() {
    bool goes_on = true;
    const ProblemLadder ladder =
        problem_ladder(form_, arrangement_, settings_, [&](double done, double total) {
          return goes_on = watch_.goes_on("temperatures", done, total, infinite);
        });
    keep_temperatures(ladder);
    require_memory(LadderSearch<Number>::bytes(arrangement_, ladder.temperatures.size()));
    std::vector<LadderSearch<Number>> ladders;
    for (Index n = 0; n < settings_.repeats; ++n)
      ladders.emplace_back(form_, arrangement_, ladder.temperatures, ladder.with_pairs,
                           settings_.seed, n, 0);
    const double updates_of_sweep = static_cast<double>(ladders.front().replicas()) * spins();
    const double updates_of_all = updates_of_sweep * static_cast<double>(settings_.repeats);
    const auto portion = std::max<Index>(
        8, static_cast<Index>(updates_of_portion * settings_.threads / updates_of_all));
    const double total = ladder.updates + updates_of_all * static_cast<double>(settings_.sweeps);
    // Few ladders share the threads among their rungs.
    const bool side_by_side = settings_.repeats >= settings_.threads;
    double least = infinite;
    for (Index done = 0; goes_on && done < settings_.sweeps; done += portion) {
      const Index sweeps = std::min(portion, settings_.sweeps - done);
      parallel_for(side_by_side ? settings_.threads : 1, settings_.repeats, [&](Index n) {
        ladders[static_cast<std::size_t>(n)].advance(sweeps, target_,
                                                     side_by_side ? 1 : settings_.threads);
      });
      bool all_reached = true;
      result_.updates = ladder.updates;
      for (const LadderSearch<Number>& one : ladders) {
        least = std::min(least, one.found().energy);
        all_reached = all_reached && one.has_reached(target_);
        result_.updates += updates_of_sweep * static_cast<double>(one.sweeps());
      }
      goes_on =
          watch_.goes_on("tempering", result_.updates, total, form_.value(least)) && !all_reached;
    }
    result_.exchange_rate.resize(ladder.temperatures.size() - 1);
    for (LadderSearch<Number>& one : ladders) {
      const std::vector<double> rate = one.rates().rate;
      for (std::size_t pair = 0; pair < rate.size(); ++pair)
        result_.exchange_rate[pair] += rate[pair] / static_cast<double>(ladders.size());
      one.conclude(settings_.threads);
      keep(one.found(), one.sweeps());
    }
  }

  void anneal() {
    const ProblemLadder range = temperature_range(form_, arrangement_, settings_);
    keep_temperatures(range);
    const double updates_of_one = spins() * static_cast<double>(settings_.sweeps);
    // As many as a portion has, and at least one for each thread.
    const auto at_once =
        std::max<Index>(settings_.threads, static_cast<Index>(updates_of_portion / updates_of_one));
    double least = infinite;
    for (Index done = 0; done < settings_.repeats; done += at_once) {
      const Index count = std::min(at_once, settings_.repeats - done);
      std::vector<Found> found(static_cast<std::size_t>(count));
      parallel_for(settings_.threads, count, [&](Index n) {
        found[static_cast<std::size_t>(n)] = annealed(range, done + n);
      });
      for (const Found& one : found) {
        keep(one, settings_.sweeps);
        least = std::min(least, one.energy);
      }
      result_.updates += updates_of_one * static_cast<double>(count);
      const double total = updates_of_one * static_cast<double>(settings_.repeats);
      const bool reached = least <= target_;
      if (!watch_.goes_on("annealing", result_.updates, total, form_.value(least)) || reached)
        break;
    }
  }

  Found annealed(const ProblemLadder& range, Index repeat) const {
    const auto begun = Clock::now();
    Replicas<Number> replica(arrangement_, 1);
    replica.randomise(0, settings_.seed, repeat);
    const double hot = std::log(range.temperatures.back());
    const double cold = std::log(range.temperatures.front());
    const auto steps = static_cast<double>(std::max<Index>(1, settings_.sweeps - 1));
    for (Index sweep = 0; sweep < settings_.sweeps; ++sweep) {
      const RandomKey key{settings_.seed, static_cast<std::uint64_t>(sweep),
                          Stream::problem_update};
      const double temperature = std::exp(std::lerp(hot, cold, static_cast<double>(sweep) / steps));
      replica.sweep(0, temperature, key, repeat, 1);
      if (range.with_pairs) replica.sweep_pairs(0, temperature, key, repeat);
    }
    if (!form_.whole) replica.renew(0);
    replica.descend(0, tolerance_of(form_));
    Found found{replica.energy(0), replica.state(0), settings_.sweeps, 0};
    if (!form_.whole) found.energy = energy_of(form_, found.state);
    found.after = std::chrono::duration<double>(Clock::now() - begun).count();
    return found;
  }
};

}  // namespace

const Repeat& SearchResult::best() const {
  return *std::ranges::min_element(repeats, {}, &Repeat::value);
}

SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch) {
  const SpinForm form = spin_form(problem);
  if (fits_float(form)) return Search<float>(problem, form, settings, watch).run();
  return Search<double>(problem, form, settings, watch).run();
}

}  // namespace larmor::problems
