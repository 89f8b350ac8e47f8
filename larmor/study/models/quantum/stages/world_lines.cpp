#include "larmor/study/models/quantum/stages/world_lines.hpp"

#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/trotter/continuous_time.hpp"
#include "larmor/trotter/estimators.hpp"
#include "larmor/trotter/trotter_sampler.hpp"

namespace larmor::study {
namespace {

using trotter::ReplicaSpins;

/// Times at which moments of continuous lines are read, or a few more.
constexpr Index times_of_continuous = 32;

trotter::TimeWords times_of_lines(const WorldLineNumbers& numbers) {
  const Index step = numbers.slices_of_times();
  return trotter::time_words((times_of_continuous + step - 1) / step * step);
}

double mean_abs(std::span<const std::int32_t> slice, Index sites) {
  double sum = 0;
  for (const std::int32_t of_slice : slice) sum += std::abs(of_slice);
  return sum / (static_cast<double>(sites) * static_cast<double>(slice.size()));
}

/// Fills the numbers of one replica. @param spins at equidistant times
template <class Sums>
void fill_numbers(const WorldLineNumbers& numbers, const trotter::Instance& instance,
                  const Sums& sums, double slices_of_sums, const ReplicaSpins& spins, double* to) {
  const trotter::EnergyTerms terms = trotter::energy_terms(instance, sums);
  const std::vector<std::int32_t> slice = spins.slice_sums();
  const trotter::SliceMoments moments = trotter::slice_moments(slice, numbers.sites);
  to[WorldLineNumbers::energy] = terms.energy;
  to[WorldLineNumbers::energy2] = terms.energy * terms.energy;
  to[WorldLineNumbers::derivative] = terms.derivative;
  to[WorldLineNumbers::abs_m] = mean_abs(slice, numbers.sites);
  to[WorldLineNumbers::m2] = moments.m2;
  to[WorldLineNumbers::m4] = moments.m4;
  const std::vector<double> sx = trotter::transverse_spins(instance, sums);
  double mean = 0;
  for (Index i = 0; i < numbers.sites; ++i) {
    const auto site = static_cast<std::size_t>(i);
    const double sz = static_cast<double>(sums.site[site]) / slices_of_sums;
    to[numbers.sx() + i] = sx[site];
    to[numbers.sz() + i] = sz;
    mean += sz / static_cast<double>(numbers.sites);
  }
  to[WorldLineNumbers::mean] = mean;
  to[WorldLineNumbers::mean2] = mean * mean;
  if (numbers.times == 0) return;
  const std::vector<double> total = trotter::magnetic_correlation(slice, numbers.sites);
  const std::vector<std::int64_t> local = spins.local_products();
  for (Index k = 0; k < numbers.times; ++k) {
    const auto shift = static_cast<std::size_t>(numbers.shift_of_time(k, spins.slices()));
    to[numbers.total() + k] = total[shift];
    to[numbers.local() + k] = static_cast<double>(local[shift]) /
                              static_cast<double>(numbers.sites * Index{spins.slices()});
  }
}

template <class PairOf>
void fill_pairs(const WorldLineNumbers& numbers, const PairOf& pair, double* to) {
  if (!numbers.has_pairs) return;
  double* next = to + numbers.pairs();
  for (Index i = 0; i < numbers.sites; ++i)
    for (Index j = i + 1; j < numbers.sites; ++j) *next++ = pair(i, j);
}

/// Moments of all pairs of copies. @param spins_of(replica)
template <class SpinsOf>
std::vector<OverlapMoments> overlaps_of(int threads, Index instances, Index copies,
                                        const SpinsOf& spins_of) {
  const Index pairs = copies / 2;
  std::vector<OverlapMoments> moments(static_cast<std::size_t>(instances * pairs));
  parallel_for(threads, instances * pairs, [&](Index n) {
    const Index first = n / pairs * copies + 2 * (n % pairs);
    const auto one = spins_of(first), two = spins_of(first + 1);
    const trotter::SliceMoments of_pair =
        trotter::slice_moments(one.spins().overlaps(two.spins()), one.spins().sites());
    moments[static_cast<std::size_t>(n)] = {of_pair.m2, of_pair.m4};
  });
  return moments;
}

class SlicedLines : public WorldLines {
 public:
  SlicedLines(const WorldLineChoice& choice, const trotter::SystemGraph& graph,
              const std::vector<trotter::Instance>& instances, const UpdateCounter& steps)
      : WorldLines(choice, std::ssize(instances)),
        choice_(choice),
        model_(choice.device, graph, instances,
               {choice.slices, choice.copies,
                choice.update == WorldLineUpdate::metropolis ? ising::Rule::metropolis
                                                             : ising::Rule::glauber}),
        state_(model_),
        sampler_(model_, choice.seed, steps),
        steps_(steps) {
    state_.randomise(choice.seed);
  }

  void sweep(Index sweeps) override {
    if (choice_.update == WorldLineUpdate::lines)
      sampler_.line_sweep(state_, sweeps);
    else if (choice_.update == WorldLineUpdate::clusters)
      sampler_.cluster_sweep(state_, sweeps);
    else
      sampler_.sweep(state_, sweeps);
  }
  void exchange(int parity) override { exchange_->propose(state_, parity, steps_); }

  std::vector<double> measure() override {
    const WorldLineNumbers& numbers = choice_.numbers;
    const trotter::HostWords words = state_.host_words();
    std::vector<double> all(static_cast<std::size_t>(model_.replicas() * numbers.count()));
    parallel_for(choice_.device.host_threads(), model_.replicas(), [&](Index replica) {
      const ReplicaSpins spins(model_, words, replica);
      double* const to = all.data() + replica * numbers.count();
      fill_numbers(
          numbers,
          model_.instances()[static_cast<std::size_t>(model_.instance_of_replica(replica))],
          spins.sums(model_.system()), static_cast<double>(model_.slices()), spins, to);
      fill_pairs(
          numbers, [&](Index i, Index j) { return spins.pair(i, j); }, to);
    });
    return all;
  }
  std::vector<OverlapMoments> overlaps() override {
    struct Copy {
      ReplicaSpins of_copy;
      const ReplicaSpins& spins() const { return of_copy; }
    };
    const trotter::HostWords words = state_.host_words();
    return overlaps_of(choice_.device.host_threads(), std::ssize(model_.instances()),
                       model_.copies(), [&](Index replica) {
                         return Copy{{model_, words, replica}};
                       });
  }

  void save(StageMemory& memory) const override {
    const std::vector<std::uint32_t> words = state_.save();
    memory.integers["words"] = {words.begin(), words.end()};
    save_exchanges(memory);
  }
  void load(const StageMemory& memory) override {
    const std::vector<Index>& saved = memory.integer("words");
    std::vector<std::uint32_t> words;
    words.reserve(saved.size());
    for (const Index word : saved) words.push_back(static_cast<std::uint32_t>(word));
    state_.restore(words);
    load_exchanges(memory);
  }

 private:
  WorldLineChoice choice_;
  trotter::TrotterModel model_;
  trotter::TrotterState state_;
  trotter::TrotterSampler sampler_;
  UpdateCounter steps_;
};

/// The spins of a line at equidistant times.
class SpinsOfLines {
 public:
  SpinsOfLines(const trotter::ContinuousState& state, Index replica, const trotter::TimeWords& time)
      : time_(time), sites_(state.model().sites()) {
    state.read_slices(replica, time, 0.5, words_);
  }
  ReplicaSpins spins() const { return {trotter::HostWords{words_.data(), time_, sites_, 1}, 0, 0}; }

 private:
  trotter::TimeWords time_;
  Index sites_;
  std::vector<std::uint32_t> words_;
};

class ContinuousLines : public WorldLines {
 public:
  ContinuousLines(const WorldLineChoice& choice, const trotter::SystemGraph& graph,
                  const std::vector<trotter::Instance>& instances, const UpdateCounter& steps)
      : WorldLines(choice, std::ssize(instances)),
        choice_(choice),
        time_(times_of_lines(choice.numbers)),
        model_(graph, instances, choice.copies),
        state_(model_),
        sampler_(model_, choice.seed, steps, choice.device.host_threads()),
        steps_(steps) {
    state_.randomise(choice.seed);
  }

  void sweep(Index sweeps) override { sampler_.sweep(state_, sweeps); }
  void exchange(int parity) override { exchange_->propose(state_, parity, steps_); }

  std::vector<double> measure() override {
    const WorldLineNumbers& numbers = choice_.numbers;
    std::vector<double> all(static_cast<std::size_t>(model_.replicas() * numbers.count()));
    parallel_for(choice_.device.host_threads(), model_.replicas(), [&](Index replica) {
      const SpinsOfLines lines(state_, replica, time_);
      double* const to = all.data() + replica * numbers.count();
      fill_numbers(numbers, model_.instance_of_replica(replica), state_.sums(replica), 1,
                   lines.spins(), to);
      fill_pairs(
          numbers, [&](Index i, Index j) { return state_.pair(replica, i, j); }, to);
    });
    return all;
  }
  std::vector<OverlapMoments> overlaps() override {
    return overlaps_of(choice_.device.host_threads(), std::ssize(model_.instances()),
                       choice_.copies,
                       [&](Index replica) { return SpinsOfLines(state_, replica, time_); });
  }

  void save(StageMemory& memory) const override {
    memory.numbers["lines"] = state_.save();
    save_exchanges(memory);
  }
  void load(const StageMemory& memory) override {
    state_.restore(memory.number("lines"));
    load_exchanges(memory);
  }

 private:
  WorldLineChoice choice_;
  trotter::TimeWords time_;
  trotter::ContinuousModel model_;
  trotter::ContinuousState state_;
  trotter::ContinuousSampler sampler_;
  UpdateCounter steps_;
};

}  // namespace

std::vector<double> WorldLineNumbers::fractions() const {
  std::vector<double> fractions;
  for (Index k = 0; k < times; ++k)
    fractions.push_back(times > 1 ? 0.5 * static_cast<double>(k) / static_cast<double>(times - 1)
                                  : 0.5);
  return fractions;
}

WorldLines::WorldLines(const WorldLineChoice& choice, Index instances) {
  if (choice.rungs > 1)
    exchange_ = std::make_unique<trotter::InstanceExchange>(
        instances, choice.copies, choice.rungs, choice.seed, choice.device.host_threads());
}

std::vector<double> WorldLines::acceptance() const {
  return exchange_ ? exchange_->acceptance() : std::vector<double>{};
}

void WorldLines::save_exchanges(StageMemory& memory) const {
  if (!exchange_) return;
  memory.integers["exchanges_proposed"] = exchange_->counts().proposed;
  memory.integers["exchanges_accepted"] = exchange_->counts().accepted;
}

void WorldLines::load_exchanges(const StageMemory& memory) {
  if (!exchange_) return;
  exchange_->restore({memory.integer("exchanges_proposed"), memory.integer("exchanges_accepted")});
}

std::unique_ptr<WorldLines> make_world_lines(const WorldLineChoice& choice,
                                             const trotter::SystemGraph& graph,
                                             const std::vector<trotter::Instance>& instances,
                                             const UpdateCounter& steps) {
  if (choice.slices == 0) return std::make_unique<ContinuousLines>(choice, graph, instances, steps);
  return std::make_unique<SlicedLines>(choice, graph, instances, steps);
}

}  // namespace larmor::study
