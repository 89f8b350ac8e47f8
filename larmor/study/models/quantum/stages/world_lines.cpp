#include "larmor/study/models/quantum/stages/world_lines.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
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

/// Fills energies and moments of one replica. @param slice sum_i s_ik at equidistant times
void fill_scalars(const WorldLineNumbers& numbers, const trotter::EnergyTerms& terms,
                  std::span<const std::int32_t> slice, double mean, double* to) {
  const trotter::SliceMoments moments = trotter::slice_moments(slice, numbers.sites);
  to[WorldLineNumbers::energy] = terms.energy;
  to[WorldLineNumbers::energy2] = terms.energy * terms.energy;
  to[WorldLineNumbers::derivative] = terms.derivative;
  to[WorldLineNumbers::abs_m] = mean_abs(slice, numbers.sites);
  to[WorldLineNumbers::m2] = moments.m2;
  to[WorldLineNumbers::m4] = moments.m4;
  to[WorldLineNumbers::mean] = mean;
  to[WorldLineNumbers::mean2] = mean * mean;
}

/// Fills the correlations in time of one replica. @param local sum of s_i,k s_i,k' [K]
void fill_times(const WorldLineNumbers& numbers, std::span<const std::int32_t> slice,
                std::span<const std::int64_t> local, double* to) {
  if (numbers.times == 0) return;
  const std::vector<double> total = trotter::magnetic_correlation(slice, numbers.sites);
  const Index slices = std::ssize(slice);
  for (Index k = 0; k < numbers.times; ++k) {
    to[numbers.total() + k] = total[static_cast<std::size_t>(numbers.shift_of_time(k, slices))];
    to[numbers.local() + k] = static_cast<double>(local[static_cast<std::size_t>(k)]) /
                              static_cast<double>(numbers.sites * slices);
  }
}

template <class PairOf>
void fill_pairs(const WorldLineNumbers& numbers, const PairOf& pair, double* to) {
  if (!numbers.has_pairs) return;
  double* next = to + numbers.pairs();
  for (Index i = 0; i < numbers.sites; ++i)
    for (Index j = i + 1; j < numbers.sites; ++j) *next++ = pair(i, j);
}

OverlapMoments overlap_moments(std::span<const std::int32_t> overlap, Index sites) {
  const trotter::SliceMoments moments = trotter::slice_moments(overlap, sites);
  return {moments.m2, moments.m4};
}

class SlicedLines : public WorldLines {
 public:
  SlicedLines(const WorldLineChoice& choice, const trotter::SystemGraph& graph,
              const std::vector<trotter::Instance>& instances, const UpdateCounter& steps)
      : WorldLines(choice, std::ssize(instances)),
        choice_(choice),
        model_(choice.device, graph, instances,
               world_line_settings(choice.slices, choice.copies, choice.update)),
        state_(model_),
        totals_(model_),
        tally_(model_),
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
  void exchange(int parity) override { exchange_->propose(state_, totals_, parity, steps_); }

  std::vector<double> measure() override {
    const WorldLineNumbers& numbers = choice_.numbers;
    const trotter::ReplicaTotals totals = totals_.measure(state_);
    std::vector<std::int32_t> shifts;
    for (Index k = 0; k < numbers.times; ++k)
      shifts.push_back(static_cast<std::int32_t>(numbers.shift_of_time(k, model_.slices())));
    const std::vector<std::int64_t> products =
        shifts.empty() ? std::vector<std::int64_t>{} : totals_.products_in_time(state_, shifts);
    tally_.add(state_);
    ++tallied_;
    // A GPU copies its words only for correlations of all pairs.
    const trotter::HostWords words = numbers.has_pairs ? state_.host_words() : trotter::HostWords{};
    std::vector<double> all(static_cast<std::size_t>(model_.replicas() * numbers.count()));
    parallel_for(choice_.device.host_threads(), model_.replicas(), [&](Index replica) {
      const auto number = static_cast<std::size_t>(replica);
      const std::span<const std::int32_t> slice = totals.slices(replica, model_.slices());
      double* const to = all.data() + replica * numbers.count();
      fill_scalars(numbers, totals.energy[number], slice,
                   trotter::slice_moments(slice, numbers.sites).m, to);
      fill_times(numbers, slice, std::span(products).subspan(number * shifts.size(), shifts.size()),
                 to);
      if (!numbers.has_pairs) return;
      const ReplicaSpins spins(model_, words, replica);
      fill_pairs(
          numbers, [&](Index i, Index j) { return spins.pair(i, j); }, to);
    });
    return all;
  }
  std::vector<double> take_site_sums() override {
    const auto N = static_cast<std::size_t>(model_.sites());
    std::vector<std::int64_t> counts = tally_.counts();
    const double lines = static_cast<double>(model_.copies() * tallied_);
    const double slices = static_cast<double>(model_.slices());
    std::vector<double> sums;
    for (std::size_t p = 0; p < model_.instances().size(); ++p) {
      const trotter::Instance& instance = model_.instances()[p];
      for (std::size_t i = 0; i < N; ++i)
        sums.push_back(lines *
                       trotter::transverse_spin(
                           instance.beta / slices * instance.Gamma[i],
                           static_cast<double>(counts[2 * (p * N + i)]) / (lines * slices)));
      for (std::size_t i = 0; i < N; ++i)
        sums.push_back(lines - 2 * static_cast<double>(counts[2 * (p * N + i) + 1]) / slices);
    }
    std::ranges::fill(counts, 0);
    tally_.assign(counts);
    tallied_ = 0;
    return sums;
  }
  std::vector<OverlapMoments> overlaps() override {
    const std::vector<std::int32_t> of_pairs = totals_.overlaps(state_);
    const auto slices = static_cast<std::size_t>(model_.slices());
    std::vector<OverlapMoments> moments;
    for (std::size_t first = 0; first < of_pairs.size(); first += slices)
      moments.push_back(
          overlap_moments(std::span(of_pairs).subspan(first, slices), model_.sites()));
    return moments;
  }

  void save(StageMemory& memory) const override {
    const std::vector<std::uint32_t> words = state_.save();
    memory.integers["words"] = {words.begin(), words.end()};
    memory.integers["site_tally"] = tally_.counts();
    memory.integers["tallied"] = {tallied_};
    save_exchanges(memory);
  }
  void load(const StageMemory& memory) override {
    const std::vector<Index>& saved = memory.integer("words");
    std::vector<std::uint32_t> words;
    words.reserve(saved.size());
    for (const Index word : saved) words.push_back(static_cast<std::uint32_t>(word));
    state_.restore(words);
    const std::vector<Index>& tally = memory.integer("site_tally");
    if (std::ssize(tally) != 2 * model_.sites() * std::ssize(model_.instances()))
      throw InputError("a checkpoint has the sums of other sites",
                       "resume from a checkpoint of this study");
    tally_.assign(tally);
    tallied_ = memory.integer("tallied").at(0);
    load_exchanges(memory);
  }

 private:
  WorldLineChoice choice_;
  trotter::TrotterModel model_;
  trotter::TrotterState state_;
  trotter::TotalsOfReplicas totals_;
  trotter::SiteTally tally_;
  Index tallied_ = 0;  ///< measurements in the tally
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
    site_sums_.resize(2 * instances.size() * static_cast<std::size_t>(graph.sites));
  }

  void sweep(Index sweeps) override { sampler_.sweep(state_, sweeps); }
  void exchange(int parity) override { exchange_->propose(state_, parity, steps_); }

  std::vector<double> measure() override {
    const WorldLineNumbers& numbers = choice_.numbers;
    const auto N = static_cast<std::size_t>(numbers.sites);
    std::vector<double> all(static_cast<std::size_t>(model_.replicas() * numbers.count()));
    std::vector<double> of_sites(2 * N * static_cast<std::size_t>(model_.replicas()));
    parallel_for(choice_.device.host_threads(), model_.replicas(), [&](Index replica) {
      const trotter::Instance& instance = model_.instance_of_replica(replica);
      const trotter::LineSums sums = state_.sums(replica);
      double* const own = of_sites.data() + 2 * static_cast<std::size_t>(replica) * N;
      std::ranges::copy(trotter::transverse_spins(instance, sums), own);
      std::ranges::copy(sums.site, own + N);
      double mean = 0;
      for (const double sz : sums.site) mean += sz / static_cast<double>(N);
      const SpinsOfLines lines(state_, replica, time_);
      const ReplicaSpins spins = lines.spins();
      const std::vector<std::int32_t> slice = spins.slice_sums();
      double* const to = all.data() + replica * numbers.count();
      fill_scalars(numbers, trotter::energy_terms(instance, sums), slice, mean, to);
      fill_times(numbers, slice, local_products(spins), to);
      fill_pairs(
          numbers, [&](Index i, Index j) { return state_.pair(replica, i, j); }, to);
    });
    // BITS: copies and measurements in their order.
    for (Index replica = 0; replica < model_.replicas(); ++replica) {
      const auto instance = static_cast<std::size_t>(replica / choice_.copies);
      for (std::size_t n = 0; n < 2 * N; ++n)
        site_sums_[2 * instance * N + n] += of_sites[2 * static_cast<std::size_t>(replica) * N + n];
    }
    return all;
  }
  std::vector<double> take_site_sums() override {
    std::vector<double> sums(site_sums_.size());
    sums.swap(site_sums_);
    return sums;
  }
  std::vector<OverlapMoments> overlaps() override {
    const Index pairs = choice_.copies / 2;
    std::vector<OverlapMoments> moments(
        static_cast<std::size_t>(std::ssize(model_.instances()) * pairs));
    parallel_for(choice_.device.host_threads(), std::ssize(moments), [&](Index n) {
      const Index first = n / pairs * choice_.copies + 2 * (n % pairs);
      const SpinsOfLines one(state_, first, time_), two(state_, first + 1, time_);
      moments[static_cast<std::size_t>(n)] =
          overlap_moments(one.spins().overlaps(two.spins()), model_.sites());
    });
    return moments;
  }

  void save(StageMemory& memory) const override {
    memory.numbers["lines"] = state_.save();
    memory.numbers["site_sums"] = site_sums_;
    save_exchanges(memory);
  }
  void load(const StageMemory& memory) override {
    state_.restore(memory.number("lines"));
    const std::vector<double>& saved = memory.number("site_sums");
    if (saved.size() != site_sums_.size())
      throw InputError("a checkpoint has the sums of other sites",
                       "resume from a checkpoint of this study");
    site_sums_ = saved;
    load_exchanges(memory);
  }

 private:
  /// sum over sites and times of s_i,k s_i,k' at the times of the measurement [K].
  std::vector<std::int64_t> local_products(const ReplicaSpins& spins) const {
    std::vector<std::int64_t> products;
    if (choice_.numbers.times == 0) return products;
    const std::vector<std::int64_t> all = spins.local_products();
    for (Index k = 0; k < choice_.numbers.times; ++k)
      products.push_back(
          all[static_cast<std::size_t>(choice_.numbers.shift_of_time(k, spins.slices()))]);
    return products;
  }

  WorldLineChoice choice_;
  trotter::TimeWords time_;
  trotter::ContinuousModel model_;
  trotter::ContinuousState state_;
  trotter::ContinuousSampler sampler_;
  UpdateCounter steps_;
  std::vector<double> site_sums_;  ///< (instance, 2, site)
};

}  // namespace

trotter::TrotterSettings world_line_settings(Index slices, Index copies, WorldLineUpdate update) {
  return {slices, copies,
          update == WorldLineUpdate::metropolis ? ising::Rule::metropolis : ising::Rule::glauber,
          update == WorldLineUpdate::metropolis || update == WorldLineUpdate::heat_bath};
}

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
