#include "larmor/ground_states/search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ground_states/problem_ladder.hpp"

namespace larmor::ground_states {
namespace {

using Clock = std::chrono::steady_clock;

/// Updates of spins that a thread makes between two reports of progress.
constexpr double updates_of_block = 2e7;
/// Largest number of repeats that run at once, if each repeat is short.
constexpr Index most_at_once = 1024;
constexpr Index most_replicas = Index{1} << 24;
constexpr double seconds_to_finish = 0.5;
/// At most about this fraction of the given time is spent on the choice of temperatures.
constexpr double fraction_for_temperatures = 0.25;
constexpr double infinite = std::numeric_limits<double>::infinity();

class SearchWatch {
 public:
  SearchWatch(const std::function<bool(const SearchProgress&)>& watch, const SearchEnd& end)
      : watch_(watch), end_(end) {}

  const SearchEnd& end() const { return end_; }
  /// Reports progress. @return should the search go on?
  bool report(const char* stage, double done, double total, double least) {
    const double time = end_.seconds();
    if (std::isfinite(end_.limit()) && time > 0)
      total = std::min(total, std::max(done, done / time * end_.limit()));
    if (!watch_({stage, done, total, least})) end_.request();
    return !end_.is_reached();
  }

 private:
  const std::function<bool(const SearchProgress&)>& watch_;
  const SearchEnd& end_;
};

/// One repeat of simulated annealing: a replica is cooled from the hottest to the coldest
/// temperature.
template <class Number>
class Annealing {
 public:
  Annealing(const SpinForm& form, const Arrangement<Number>& arrangement,
            const SearchSettings& settings, const ProblemLadder& range, Index repeat)
      : form_(&form),
        settings_(&settings),
        range_(&range),
        repeat_(repeat),
        replica_(arrangement, 1) {
    const auto begun = Clock::now();
    replica_.randomise(0, settings.seed, repeat);
    add_time(begun);
  }

  Index sweeps() const { return sweep_; }
  bool is_complete() const { return sweep_ == settings_->sweeps; }

  void advance(Index sweeps, const SearchEnd& end) {
    const auto begun = Clock::now();
    const double hot = std::log(range_->temperatures.back());
    const double cold = std::log(range_->temperatures.front());
    const auto steps = static_cast<double>(std::max<Index>(1, settings_->sweeps - 1));
    const Index last = std::min(settings_->sweeps, sweep_ + sweeps);
    for (; sweep_ < last && !end.is_reached(); ++sweep_) {
      const RandomKey key{settings_->seed, static_cast<std::uint64_t>(sweep_),
                          Stream::problem_update};
      const double temperature =
          std::exp(std::lerp(hot, cold, static_cast<double>(sweep_) / steps));
      replica_.sweep(0, temperature, key, repeat_, 1);
      if (range_->with_pairs) replica_.sweep_pairs(0, temperature, key, repeat_);
    }
    if (is_complete()) descend();
    add_time(begun);
  }

  /// The current state, or the minimum below it if the annealing is complete.
  Found found() {
    Found found{replica_.energy(0), replica_.state(0), sweep_, seconds_};
    if (!form_->whole) found.energy = energy_of(*form_, found.state);
    return found;
  }

 private:
  const SpinForm* form_;
  const SearchSettings* settings_;
  const ProblemLadder* range_;
  Index repeat_, sweep_ = 0;
  double seconds_ = 0;
  Replicas<Number> replica_;

  void descend() {
    if (!form_->whole) replica_.renew(0);
    replica_.descend(0, tolerance_of(*form_));
  }
  void add_time(Clock::time_point begun) {
    seconds_ += std::chrono::duration<double>(Clock::now() - begun).count();
  }
};

template <class Number>
class Search {
 public:
  Search(const QuadraticProblem& problem, const SpinForm& form, const SearchSettings& settings,
         SearchWatch& watch)
      : problem_(problem),
        form_(form),
        arrangement_(form),
        settings_(settings),
        watch_(watch),
        target_(settings.target ? form.energy(*settings.target) + margin_of(form) : -infinite) {
    result_.repeats = RepeatRecord(form, settings.target);
  }

  SearchResult run() {
    settings_.method == SearchMethod::tempering ? temper() : anneal();
    if (!best_is_minimum_) descend_from_best();
    result_.seconds = watch_.end().seconds();
    return std::move(result_);
  }

 private:
  using Ladders = std::vector<LadderSearch<Number>>;

  const QuadraticProblem& problem_;
  const SpinForm& form_;
  Arrangement<Number> arrangement_;
  const SearchSettings& settings_;
  SearchWatch& watch_;
  double target_;
  double least_ = infinite;       ///< least E found so far
  bool best_is_minimum_ = false;  ///< has the best state descended to a minimum?
  SearchResult result_;

  double spins() const { return static_cast<double>(form_.size()); }

  void record_temperatures(const ProblemLadder& ladder) {
    for (const double temperature : ladder.temperatures)
      result_.temperatures.push_back(temperature * form_.factor / form_.divisor);
    result_.updates += ladder.updates;
    result_.ladder_seconds = watch_.end().seconds();
  }

  /// Number of repeats that fit into memory at once. @param bytes memory of one repeat
  Index fitting(Index wanted, double bytes) const {
    const FreeMemory free = free_memory();
    const auto together = settings_.open_ended ? static_cast<double>(wanted) : 1.0;
    if (together * bytes > free.bytes)
      throw MachineError(
          fmt::format("{} of memory, but {}; take fewer {}",
                      settings_.open_ended ? fmt::format("{} repeats side by side need {}", wanted,
                                                         memory_text(together * bytes))
                                           : fmt::format("a repeat needs {}", memory_text(bytes)),
                      free.description(),
                      settings_.open_ended ? "--repeats or --rungs, or end the search by --sweeps"
                                           : "--rungs"));
    if (settings_.open_ended) return wanted;
    return std::clamp(static_cast<Index>(free.bytes / 2 / bytes), Index{1}, wanted);
  }

  double value_of_found(const Found& found) const {
    return form_.whole ? form_.value(found.energy) : value_of(problem_, found.state);
  }

  void record(const Found& found, Index sweeps) {
    const double value = value_of_found(found);
    result_.repeats.add({value, sweeps, found.sweeps, found.seconds});
    result_.has_swept = true;
    update_best(found, value, true);
  }

  void record_unfinished(const Found& found) {
    ++result_.unfinished;
    result_.has_swept = true;
    if (!found.state.empty()) update_best(found, value_of_found(found), false);
  }

  void update_best(const Found& found, double value, bool is_minimum) {
    least_ = std::min(least_, found.energy);
    if (!(value < result_.best.value)) return;
    result_.best = {value, found.state};
    best_is_minimum_ = is_minimum;
  }

  /// Descends from the best state to a minimum. If no best state exists, starts from a random
  /// state.
  void descend_from_best() {
    Replicas<Number> replica(arrangement_, 1);
    if (result_.best.state.empty()) {
      replica.randomise(0, settings_.seed, 0);
    } else {
      arrangement_.load(result_.best.state, replica.view(0));
      replica.renew(0);
    }
    replica.descend(0, tolerance_of(form_));
    Found found{replica.energy(0), replica.state(0), 0, 0};
    if (!form_.whole) found.energy = energy_of(form_, found.state);
    update_best(found, value_of_found(found), true);
  }

  void temper() {
    const ProblemLadder ladder = problem_ladder(
        form_, arrangement_, settings_, watch_.end(), [&](double done, double total) {
          return watch_.report("temperatures", done, total, infinite) &&
                 watch_.end().seconds() < fraction_for_temperatures * watch_.end().limit();
        });
    record_temperatures(ladder);
    if (watch_.end().is_reached() && !ladder.lowest.state.empty())
      update_best(ladder.lowest, value_of_found(ladder.lowest), false);
    const std::size_t rungs = ladder.temperatures.size();
    const Index replicas = LadderSearch<Number>::replicas_of(arrangement_, rungs);
    require_names(settings_.repeats, replicas);
    const double updates_of_sweep = static_cast<double>(replicas) * spins();
    // If there are fewer ladders than threads, the threads share the rungs of each ladder.
    const bool side_by_side = settings_.repeats >= settings_.threads;
    const Index at_once = fitting(ladders_at_once(side_by_side, updates_of_sweep),
                                  LadderSearch<Number>::bytes(arrangement_, rungs));
    result_.exchange_rate.resize(rungs - 1);
    for (Index done = 0; done < settings_.repeats && !watch_.end().is_reached(); done += at_once) {
      Ladders ladders;
      const Index last = std::min(settings_.repeats, done + at_once);
      for (Index n = done; n < last && !watch_.end().is_reached(); ++n)
        ladders.emplace_back(form_, arrangement_, ladder.temperatures, ladder.with_pairs,
                             settings_.seed, n, 0, &watch_.end());
      advance(ladders, side_by_side, updates_of_sweep);
      record_all(ladders);
    }
    // Incomplete ladders count only if no ladder is complete.
    const Index complete = result_.repeats.count();
    const Index counted = complete > 0 ? complete : result_.unfinished;
    if (counted > 0 && counted < settings_.repeats)
      for (double& rate : result_.exchange_rate)
        rate *= static_cast<double>(settings_.repeats) / static_cast<double>(counted);
  }

  Index ladders_at_once(bool side_by_side, double updates_of_sweep) const {
    if (settings_.open_ended) return settings_.repeats;
    if (!side_by_side) return 1;
    const double of_repeat = updates_of_sweep * static_cast<double>(settings_.sweeps);
    const Index worth_a_block = std::min(
        most_at_once, static_cast<Index>(updates_of_block * settings_.threads / of_repeat));
    return std::clamp<Index>(worth_a_block, settings_.threads, settings_.repeats);
  }

  bool is_complete(const LadderSearch<Number>& ladder) const {
    return ladder.has_reached(target_) || ladder.sweeps() >= settings_.sweeps ||
           (settings_.open_ended && ladder.sweeps() > 0);
  }

  void advance(Ladders& ladders, bool side_by_side, double updates_of_sweep) {
    const auto count = static_cast<Index>(ladders.size());
    if (count == 0) return;
    const double updates_of_all = updates_of_sweep * static_cast<double>(count);
    const auto block = std::max<Index>(
        1, static_cast<Index>(updates_of_block * settings_.threads / updates_of_all));
    const double total =
        result_.updates + updates_of_sweep * static_cast<double>(settings_.sweeps) *
                              static_cast<double>(settings_.repeats - result_.repeats.count());
    const double before = result_.updates;
    bool all_reached = false;
    for (Index done = 0; done < settings_.sweeps && !all_reached && !watch_.end().is_reached();
         done += block) {
      const Index sweeps = std::min(block, settings_.sweeps - done);
      parallel_for(side_by_side ? settings_.threads : 1, count, [&](Index n) {
        ladders[static_cast<std::size_t>(n)].advance(sweeps, target_,
                                                     side_by_side ? 1 : settings_.threads);
      });
      all_reached = true;
      result_.updates = before;
      for (const LadderSearch<Number>& one : ladders) {
        least_ = std::min(least_, one.found().energy);
        all_reached = all_reached && one.has_reached(target_);
        result_.updates += updates_of_sweep * static_cast<double>(one.sweeps());
      }
      watch_.report("tempering", result_.updates, total, form_.value(least_));
    }
  }

  void record_all(Ladders& ladders) {
    // Open-ended ladders have already run until the time limit. The last descent gains little, so
    // it may take only a short time.
    const SearchEnd soon(settings_.open_ended ? seconds_to_finish : infinite);
    for (LadderSearch<Number>& one : ladders) {
      if (one.sweeps() == 0) continue;
      if (is_complete(one)) {
        one.finish(settings_.threads, soon);
        if (soon.is_reached()) one.stop_early();
        add_rates(one);
        record(one.found(), one.sweeps());
      } else {
        one.stop_early();
        if (result_.repeats.count() == 0) add_rates(one);
        record_unfinished(one.found());
      }
    }
  }

  void add_rates(const LadderSearch<Number>& ladder) {
    const std::vector<double> rate = ladder.rates().rate;
    for (std::size_t pair = 0; pair < rate.size(); ++pair)
      result_.exchange_rate[pair] += rate[pair] / static_cast<double>(settings_.repeats);
  }

  void anneal() {
    const ProblemLadder range = temperature_range(form_, arrangement_, settings_, watch_.end());
    record_temperatures(range);
    require_names(settings_.repeats, 1);
    const double updates_of_one = spins() * static_cast<double>(settings_.sweeps);
    // Number of repeats between two checks of the target. They take as long as one report of
    // progress, and each thread has at least one.
    const auto at_once =
        std::max<Index>(settings_.threads, static_cast<Index>(updates_of_block / updates_of_one));
    const Index under_way = fitting(std::clamp(settings_.repeats, Index{1}, most_at_once),
                                    Replicas<Number>::bytes(arrangement_));
    for (Index done = 0;
         done < settings_.repeats && least_ > target_ && !watch_.end().is_reached();) {
      const Index last = std::min(settings_.repeats, done + at_once);
      while (done < last && !watch_.end().is_reached()) {
        const Index next = std::min(last, done + under_way);
        anneal(range, done, next);
        done = next;
      }
    }
  }

  /// Anneals the repeats [first, last).
  void anneal(const ProblemLadder& range, Index first, Index last) {
    const auto count = static_cast<std::size_t>(last - first);
    std::vector<std::optional<Annealing<Number>>> annealings(count);
    const auto block =
        std::max<Index>(1, static_cast<Index>(updates_of_block * settings_.threads /
                                              (spins() * static_cast<double>(count))));
    const double total =
        spins() * static_cast<double>(settings_.sweeps) * static_cast<double>(settings_.repeats);
    const double before = result_.updates;
    for (Index done = 0; done < settings_.sweeps && !watch_.end().is_reached(); done += block) {
      parallel_for(settings_.threads, last - first, [&](Index n) {
        std::optional<Annealing<Number>>& one = annealings[static_cast<std::size_t>(n)];
        if (watch_.end().is_reached()) return;
        if (!one) one.emplace(form_, arrangement_, settings_, range, first + n);
        one->advance(block, watch_.end());
      });
      result_.updates = before;
      for (const auto& one : annealings)
        if (one) result_.updates += spins() * static_cast<double>(one->sweeps());
      watch_.report("annealing", result_.updates, total, form_.value(least_));
    }
    for (auto& one : annealings) {
      if (!one || one->sweeps() == 0) continue;
      one->is_complete() ? record(one->found(), one->sweeps()) : record_unfinished(one->found());
    }
  }
};

}  // namespace

void require_names(Index repeats, Index replicas) {
  if (replicas == 0 || repeats <= most_replicas / replicas) return;
  throw InputError(
      fmt::format("{} repeats with {} replicas each are too many", repeats, replicas),
      fmt::format("give fewer repeats or rungs: all repeats together may have at most {} replicas",
                  most_replicas));
}

SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch, const SearchEnd& end) {
  SearchWatch watched(watch, end);
  const SpinForm form = spin_form(problem);
  if (fits_float(form)) return Search<float>(problem, form, settings, watched).run();
  return Search<double>(problem, form, settings, watched).run();
}

SearchResult search(const QuadraticProblem& problem, const SearchSettings& settings,
                    const std::function<bool(const SearchProgress&)>& watch) {
  return search(problem, settings, watch, SearchEnd(settings.seconds));
}

}  // namespace larmor::ground_states
