#include "larmor/tempering/replica_exchange.hpp"

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/tempering/exchange_kernel.hpp"

namespace larmor::tempering {
namespace {

[[noreturn]] void refuse_checkpoint() {
  throw InputError("the checkpoint's exchange of replicas does not fit the study",
                   "resume the results to which this checkpoint belongs");
}

/// The number of rungs. @throws InternalError if these replicas do not form whole ladders
Index checked(Index rungs, const ReplicaShare& replicas) {
  if (rungs < 2) throw InternalError("a ladder has fewer than two rungs");
  if (replicas.first % rungs != 0 || replicas.count % rungs != 0 || replicas.all % rungs != 0)
    throw InternalError("the replicas do not form whole ladders");
  return rungs;
}

}  // namespace

ReplicaExchange::ReplicaExchange(Index rungs, const ReplicaShare& replicas, std::uint64_t seed,
                                 const Device& device)
    : rung_count_(checked(rungs, replicas)),
      share_(replicas),
      seed_(seed),
      rung_(device, replicas.count),
      replica_at_(device, replicas.count),
      label_(device, replicas.count),
      accepted_(device, ladders() * (rung_count_ - 1)),
      from_first_(device, replicas.count),
      from_last_(device, replicas.count),
      round_trips_(device, replicas.count) {
  std::vector<double> rung;
  for (Index r = 0; r < share_.count; ++r) rung.push_back(static_cast<double>(r % rung_count_));
  assign_rungs(rung);
}

void ReplicaExchange::assign_rungs(const std::vector<double>& rung) {
  const auto rungs = static_cast<std::size_t>(rung_count_);
  std::vector<std::int32_t> replica_at(rung.size());
  for (std::size_t r = 0; r < rung.size(); ++r)
    replica_at[r / rungs * rungs + static_cast<std::size_t>(rung[r])] =
        static_cast<std::int32_t>(r);
  rung_.copy_from(rung);
  replica_at_.copy_from(replica_at);
}

ExchangePass ReplicaExchange::pass(int parity, std::uint64_t step, const ExchangeView& view) {
  const RandomKey key{seed_, step, Stream::temperature_exchange,
                      static_cast<std::uint64_t>(share_.first / rung_count_)};
  return {view,
          rung_.data(),
          replica_at_.data(),
          accepted_.data(),
          label_.data(),
          from_first_.data(),
          from_last_.data(),
          round_trips_.data(),
          ladders(),
          rung_count_,
          parity,
          key};
}

ExchangePass ReplicaExchange::passes_among(Index sweeps, const ExchangeTimes& times,
                                           const ExchangeView& view) {
  const Index exchanges = times.count(sweeps);
  const auto first = static_cast<std::size_t>(times.parity);
  proposed_[first] += (exchanges + 1) / 2;
  proposed_[1 - first] += exchanges / 2;
  return pass(times.parity, 0, view);
}

void ReplicaExchange::propose(int parity, std::uint64_t step, const ExchangeView& view) {
  const Region region("exchange of replicas");
  ++proposed_[static_cast<std::size_t>(parity)];
  const ExchangePass all = pass(parity, step, view);
#if defined(LARMOR_HAS_CUDA)
  if (rung_.device().backend == Backend::cuda) return exchange_on_gpu(rung_.device(), all);
#endif
  require_cpu(rung_.device());
  for (Index i = 0; i < all.places(); ++i) {
    ExchangePlace place(all, i);
    place.read_counts(all);
    place.decide(all, view.energy, 0);
  }
}

Pending ReplicaExchange::rungs() const { return numbers_async(rung_); }

Pending ReplicaExchange::acceptance() const {
  return numbers_async(accepted_).then(
      [proposed = proposed_,
       pairs = static_cast<std::size_t>(rung_count_ - 1)](std::vector<double>& numbers) {
        for (std::size_t n = 0; n < numbers.size(); ++n) {
          const Index times = proposed[n % pairs % 2];
          numbers[n] = times == 0 ? 0 : numbers[n] / static_cast<double>(times);
        }
      });
}

ExchangeCounts ReplicaExchange::counts() const {
  return {proposed_, accepted_.to_host(), from_first_.to_host(), from_last_.to_host(),
          round_trips_.to_host()};
}

void ReplicaExchange::reset_counts() {
  for (Array<double>* const count : {&accepted_, &from_first_, &from_last_, &round_trips_})
    count->copy_from(std::vector<double>(static_cast<std::size_t>(count->size())));
  proposed_ = {};
}

std::vector<double> ReplicaExchange::at_replicas(const std::vector<double>& of_rung) const {
  std::vector<double> of_replica;
  for (const double rung : rung_.to_host())
    of_replica.push_back(of_rung[static_cast<std::size_t>(rung)]);
  return of_replica;
}

ExchangeState ReplicaExchange::state() const {
  ExchangeState state{rung_.to_host(), {}, counts()};
  for (const WalkerLabel label : label_.to_host())
    state.labels.push_back(static_cast<double>(label));
  return state;
}

void ReplicaExchange::set_state(const ExchangeState& state) {
  const auto rungs = static_cast<std::size_t>(rung_count_);
  const ExchangeCounts& counts = state.counts;
  const auto fits = [](const std::vector<double>& numbers, const auto& array) {
    return std::ssize(numbers) == array.size();
  };
  if (!fits(state.rungs, rung_) || !fits(state.labels, label_) ||
      !fits(counts.accepted, accepted_) || !fits(counts.from_first, from_first_) ||
      !fits(counts.from_last, from_last_) || !fits(counts.round_trips, round_trips_))
    refuse_checkpoint();
  std::vector<bool> held(state.rungs.size());
  for (std::size_t r = 0; r < state.rungs.size(); ++r) {
    if (!(state.rungs[r] >= 0 && state.rungs[r] < static_cast<double>(rungs))) refuse_checkpoint();
    held[r / rungs * rungs + static_cast<std::size_t>(state.rungs[r])] = true;
  }
  for (const bool is_held : held)
    if (!is_held) refuse_checkpoint();
  std::vector<WalkerLabel> labels;
  for (const double label : state.labels) {
    if (label != 0 && label != 1 && label != 2) refuse_checkpoint();
    labels.push_back(static_cast<WalkerLabel>(static_cast<int>(label)));
  }
  assign_rungs(state.rungs);
  label_.copy_from(labels);
  accepted_.copy_from(counts.accepted);
  from_first_.copy_from(counts.from_first);
  from_last_.copy_from(counts.from_last);
  round_trips_.copy_from(counts.round_trips);
  proposed_ = counts.proposed;
}

}  // namespace larmor::tempering
