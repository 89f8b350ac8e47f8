#include "larmor/study/tempering/ensemble_ladder.hpp"

#include <algorithm>

#include "larmor/core/maths/philox.hpp"
#include "larmor/overlaps/copy_pairs.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

using tempering::ExchangeCounts;
using tempering::ExchangeState;

struct EnsembleLadder::Numbers {
  std::vector<double> energy, beta, tuned;  ///< tuned [replica][tuned_numbers]
  std::vector<std::uint64_t> accepted;
  Index tuned_numbers = 0;

  ExchangeView view() {
    return {energy.data(), beta.data(), tuned.data(), tuned_numbers,
            accepted.empty() ? nullptr : accepted.data()};
  }
};

namespace {

/// @param numbers on the device
template <class T>
std::vector<T> on_host(const Device& device, const T* numbers, Index count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  copy_bytes(Device{}, host.data(), device, numbers, host.size() * sizeof(T));
  return host;
}

template <class T>
void to_device(const Device& device, const std::vector<T>& all, Index first, Index count,
               T* numbers) {
  copy_bytes(device, numbers, Device{}, all.data() + first,
             static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
std::vector<T> in_order(const std::vector<T>& all, const std::vector<Index>& source, Index width) {
  std::vector<T> ordered;
  ordered.reserve(all.size());
  for (const Index from : source)
    ordered.insert(ordered.end(), all.begin() + from * width, all.begin() + (from + 1) * width);
  return ordered;
}

}  // namespace

EnsembleLadder::EnsembleLadder(const Simulation& simulation, std::unique_ptr<Ensemble> ensemble,
                               const LadderPlan& plan)
    : simulation_(simulation),
      ensemble_(std::move(ensemble)),
      has_couplings_(plan.fields || !ensemble_->couplings().empty()),
      layout_(plan.layout),
      rung_count_(layout_.rungs),
      exchange_every_(plan.exchange_every),
      isoenergetic_every_(plan.isoenergetic_every),
      whole_(simulation.ranks.all(ladders_are_whole())),
      exchange_(rung_count_,
                whole_ ? simulation.ranks.share() : ReplicaShare(simulation.study.replicas),
                simulation.study.seed, whole_ ? simulation.system.device : Device::cpu(1)) {}

bool EnsembleLadder::ladders_are_whole() const {
  const ReplicaShare& share = simulation_.ranks.share();
  return share.first % rung_count_ == 0 && share.count % rung_count_ == 0;
}

std::vector<double> EnsembleLadder::own_rungs() const {
  std::vector<double> rungs = exchange_.rungs().take();
  if (whole_) return rungs;
  const ReplicaShare& share = simulation_.ranks.share();
  return {rungs.begin() + share.first, rungs.begin() + share.first + share.count};
}

Pending EnsembleLadder::rungs() const { return whole_ ? exchange_.rungs() : Pending(own_rungs()); }

void EnsembleLadder::set_ladder(const std::vector<double>& values) {
  std::vector<double> of_replica;
  for (const double rung : own_rungs())
    of_replica.push_back(values[static_cast<std::size_t>(rung)]);
  if (has_couplings_)
    ensemble_->set_couplings(of_replica);
  else
    ensemble_->set_temperatures(of_replica);
}

tempering::ExchangeTimes EnsembleLadder::exchange_times() const {
  return {exchange_every_ - sweeps_ % exchange_every_, exchange_every_,
          static_cast<int>(proposed_ % 2)};
}

void EnsembleLadder::run(Index sweeps) {
  if (whole_ && !isoenergetic_every_) {
    const tempering::ExchangeTimes times = exchange_times();
    ensemble_->run_exchanging(sweeps, times, exchange_, simulation_.system.step);
    sweeps_ += sweeps;
    proposed_ += times.count(sweeps);
    return;
  }
  while (sweeps > 0) {
    const auto left_of = [&](Index every) { return every - sweeps_ % every; };
    const Index some = std::min({sweeps, left_of(exchange_every_),
                                 isoenergetic_every_ ? left_of(*isoenergetic_every_) : sweeps});
    ensemble_->run(some);
    sweeps -= some;
    sweeps_ += some;
    if (isoenergetic_every_ && sweeps_ % *isoenergetic_every_ == 0) move_isoenergetically();
    if (sweeps_ % exchange_every_ == 0) exchange();
  }
}

bool EnsembleLadder::tune(Index sweeps) {
  ensemble_->reset_acceptance();
  run(sweeps);
  return ensemble_->adapt();
}

void EnsembleLadder::move_isoenergetically() {
  const ReplicaShare& share = simulation_.ranks.share();
  tempering::LadderLayout own = layout_;
  own.samples = share.count / layout_.replicas_of_sample();
  const std::vector<Index> replicas = overlaps::replicas_by_rung(own, own_rungs());
  // BITS: random numbers have a key of rung and ladder, and a step without exchanges. Alternately
  // each copy is paired with the copy before it and with the copy after it.
  const RandomKey key{simulation_.study.seed, simulation_.system.step++,
                      Stream::temperature_exchange};
  const Index shift = moved_++ % layout_.copies;
  std::vector<CopiesToMove> pairs;
  for (Index sample = 0; sample < own.samples; ++sample)
    for (Index copy = 0; copy + 1 < layout_.copies; copy += 2)
      for (Index rung = 0; rung < layout_.rungs; ++rung) {
        const Index a = own.ladder_at((copy + shift) % layout_.copies, sample);
        const Index b = own.ladder_at((copy + 1 + shift) % layout_.copies, sample);
        const auto random =
            philox<std::uint64_t>(key, static_cast<std::uint64_t>(rung),
                                  static_cast<std::uint64_t>(share.first / layout_.rungs + a));
        pairs.push_back({replicas[static_cast<std::size_t>(own.replica_at(rung, a))],
                         replicas[static_cast<std::size_t>(own.replica_at(rung, b))],
                         static_cast<std::uint32_t>(random.w[0])});
      }
  ensemble_->move_isoenergetically(pairs);
}

void EnsembleLadder::exchange() {
  const int parity = static_cast<int>(proposed_++ % 2);
  const std::uint64_t step = simulation_.system.step++;
  const ExchangeView view = ensemble_->exchange_view();
  if (whole_) {
    exchange_.propose(parity, step, view);
  } else {
    Numbers of_all = numbers_of_all(view);
    exchange_.propose(parity, step, of_all.view());
    write_to_ensemble(of_all, view);
  }
  ensemble_->finish_exchange();
}

EnsembleLadder::Numbers EnsembleLadder::numbers_of_all(const ExchangeView& view) const {
  const Device& device = simulation_.system.device;
  const Ranks& ranks = simulation_.ranks;
  const Index count = ranks.share().count;
  const auto of_all_ranks = [&](const std::vector<double>& own, Index width) {
    return ranks.all_gathered(own, ranks.replicas(), width);
  };
  Numbers numbers;
  numbers.tuned_numbers = view.tuned_numbers;
  numbers.energy = of_all_ranks(on_host(device, view.energy, count), 1);
  numbers.beta = of_all_ranks(on_host<double>(device, view.beta, count), 1);
  if (view.tuned_numbers > 0)
    numbers.tuned = of_all_ranks(on_host<double>(device, view.tuned, count * view.tuned_numbers),
                                 view.tuned_numbers);
  if (view.accepted != nullptr) {
    const auto own = on_host<std::uint64_t>(device, view.accepted, count);
    for (const double accepted : of_all_ranks({own.begin(), own.end()}, 1))
      numbers.accepted.push_back(static_cast<std::uint64_t>(accepted));
  }
  return numbers;
}

void EnsembleLadder::write_to_ensemble(const Numbers& of_all, const ExchangeView& view) const {
  const Device& device = simulation_.system.device;
  const ReplicaShare& share = simulation_.ranks.share();
  const Index width = of_all.tuned_numbers;
  to_device(device, of_all.beta, share.first, share.count, view.beta);
  if (width > 0)
    to_device(device, of_all.tuned, share.first * width, share.count * width, view.tuned);
  if (view.accepted != nullptr)
    to_device(device, of_all.accepted, share.first, share.count, view.accepted);
}

ExchangeCounts EnsembleLadder::counts() const {
  ExchangeCounts counts = exchange_.counts();
  if (!whole_) return counts;
  const Ranks& ranks = simulation_.ranks;
  counts.accepted =
      ranks.all_gathered(counts.accepted, ladders_of(ranks, rung_count_), rung_count_ - 1);
  counts.from_first = ranks.all_gathered(counts.from_first, ranks.replicas());
  counts.from_last = ranks.all_gathered(counts.from_last, ranks.replicas());
  counts.round_trips = ranks.all_gathered(counts.round_trips, ranks.replicas());
  return counts;
}

void EnsembleLadder::prepare_next_stage() {
  const Ranks& ranks = simulation_.ranks;
  const std::vector<double> rungs = ranks.all_gathered(own_rungs(), ranks.replicas());
  std::vector<Index> source(rungs.size());
  for (Index r = 0; r < std::ssize(rungs); ++r) {
    const Index begins =
        r / rung_count_ * rung_count_ + static_cast<Index>(rungs[static_cast<std::size_t>(r)]);
    source[static_cast<std::size_t>(begins)] = r;
  }
  rearrange_replicas(simulation_.system, source, ranks);
  const ExchangeView view = ensemble_->exchange_view();
  Numbers numbers = numbers_of_all(view);
  numbers.beta = in_order(numbers.beta, source, 1);
  numbers.tuned = in_order(numbers.tuned, source, numbers.tuned_numbers);
  if (!numbers.accepted.empty()) numbers.accepted = in_order(numbers.accepted, source, 1);
  write_to_ensemble(numbers, view);
  ExchangeState state = exchange_.state();
  for (std::size_t r = 0; r < state.rungs.size(); ++r)
    state.rungs[r] = static_cast<double>(static_cast<Index>(r) % rung_count_);
  exchange_.set_state(state);
  ensemble_->prepare_next_stage();
}

void EnsembleLadder::save(StageMemory& memory) const {
  const Ranks& ranks = simulation_.ranks;
  ensemble_->save(memory, ranks);
  ExchangeState state = exchange_.state();
  const auto keep = [&](const std::string& name, std::vector<double>& numbers,
                        const RankShare& share, Index inner) {
    memory.numbers["exchange_" + name] =
        whole_ ? ranks.gathered(std::move(numbers), share, inner) : std::move(numbers);
  };
  keep("rungs", state.rungs, ranks.replicas(), 1);
  keep("labels", state.labels, ranks.replicas(), 1);
  keep("accepted", state.counts.accepted, ladders_of(ranks, rung_count_), rung_count_ - 1);
  keep("from_first", state.counts.from_first, ranks.replicas(), 1);
  keep("from_last", state.counts.from_last, ranks.replicas(), 1);
  keep("round_trips", state.counts.round_trips, ranks.replicas(), 1);
  memory.integers["exchange_position"] = {sweeps_, proposed_, state.counts.proposed[0],
                                          state.counts.proposed[1], moved_};
}

void EnsembleLadder::load(const StageMemory& memory, const std::vector<double>& values) {
  const Ranks& ranks = simulation_.ranks;
  const auto own = [&](const std::string& name, const RankShare& share, Index inner) {
    const std::vector<double>& all = memory.number("exchange_" + name);
    return whole_ ? ranks.own_of(all, share, inner) : all;
  };
  const std::vector<Index>& position = memory.integer("exchange_position");
  ExchangeState state;
  state.rungs = own("rungs", ranks.replicas(), 1);
  state.labels = own("labels", ranks.replicas(), 1);
  state.counts = {{position.at(2), position.at(3)},
                  own("accepted", ladders_of(ranks, rung_count_), rung_count_ - 1),
                  own("from_first", ranks.replicas(), 1),
                  own("from_last", ranks.replicas(), 1),
                  own("round_trips", ranks.replicas(), 1)};
  exchange_.set_state(state);
  sweeps_ = position.at(0);
  proposed_ = position.at(1);
  moved_ = position.at(4);
  set_ladder(values);
  ensemble_->load(memory, ranks);
}

}  // namespace larmor::study
