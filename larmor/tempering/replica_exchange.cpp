#include "larmor/tempering/replica_exchange.hpp"

#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/tempering/exchange_kernel.hpp"

namespace larmor::tempering {
namespace {

Pending numbers_later(const Array<double>& numbers) {
  if (numbers.device().backend == Backend::cpu) return Pending(numbers.to_host());
  return {numbers.device(), numbers.data(), numbers.size()};
}

[[noreturn]] void refuse_checkpoint() {
  throw InputError("the checkpoint's exchange of replicas does not fit the study",
                   "resume the results it belongs to");
}

/// A number of rungs that these replicas make whole ladders of. @throws InternalError
Index checked(Index rungs, const ReplicaShare& replicas) {
  if (rungs < 2) throw InternalError("a ladder has fewer than two rungs");
  if (replicas.first % rungs != 0 || replicas.count % rungs != 0 || replicas.all % rungs != 0)
    throw InternalError("replicas are no whole ladders");
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
      accepted_(device, ladders() * (rung_count_ - 1)) {
  std::vector<double> rung;
  for (Index r = 0; r < share_.count; ++r) rung.push_back(static_cast<double>(r % rung_count_));
  put(rung);
}

void ReplicaExchange::put(const std::vector<double>& rung) {
  const auto rungs = static_cast<std::size_t>(rung_count_);
  std::vector<std::int32_t> replica_at(rung.size());
  for (std::size_t r = 0; r < rung.size(); ++r)
    replica_at[r / rungs * rungs + static_cast<std::size_t>(rung[r])] =
        static_cast<std::int32_t>(r);
  rung_.copy_from(rung);
  replica_at_.copy_from(replica_at);
}

void ReplicaExchange::propose(int parity, std::uint64_t step, const ExchangeView& view) {
  const Region region("exchange of replicas");
  ++proposed_[static_cast<std::size_t>(parity)];
  const RandomKey key{seed_, step, Stream::temperature_exchange,
                      static_cast<std::uint64_t>(share_.first / rung_count_)};
  const ExchangePass pass{
      view,   rung_.data(), replica_at_.data(), accepted_.data(), ladders(), rung_count_,
      parity, key};
  if (pass.pairs() == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (rung_.device().backend == Backend::cuda) return exchange_on_gpu(rung_.device(), pass);
#endif
  require_cpu(rung_.device());
  for (Index i = 0; i < pass.pairs(); ++i) ExchangePair{pass}(i);
}

Pending ReplicaExchange::rungs() const { return numbers_later(rung_); }

Pending ReplicaExchange::acceptance() const {
  return numbers_later(accepted_).then(
      [proposed = proposed_,
       pairs = static_cast<std::size_t>(rung_count_ - 1)](std::vector<double>& numbers) {
        for (std::size_t n = 0; n < numbers.size(); ++n) {
          const Index times = proposed[n % pairs % 2];
          numbers[n] = times == 0 ? 0 : numbers[n] / static_cast<double>(times);
        }
      });
}

void ReplicaExchange::reset_acceptance() {
  accepted_.copy_from(std::vector<double>(static_cast<std::size_t>(accepted_.size())));
  proposed_ = {};
}

std::vector<double> ReplicaExchange::at_replicas(const std::vector<double>& of_rung) const {
  std::vector<double> of_replica;
  for (const double rung : rung_.to_host())
    of_replica.push_back(of_rung[static_cast<std::size_t>(rung)]);
  return of_replica;
}

ExchangeState ReplicaExchange::state() const {
  return {rung_.to_host(), accepted_.to_host(), proposed_};
}

void ReplicaExchange::set_state(const ExchangeState& state) {
  const auto rungs = static_cast<std::size_t>(rung_count_);
  if (static_cast<Index>(state.rungs.size()) != rung_.size() ||
      static_cast<Index>(state.accepted.size()) != accepted_.size())
    refuse_checkpoint();
  std::vector<bool> held(state.rungs.size());
  for (std::size_t r = 0; r < state.rungs.size(); ++r) {
    if (!(state.rungs[r] >= 0 && state.rungs[r] < static_cast<double>(rungs))) refuse_checkpoint();
    held[r / rungs * rungs + static_cast<std::size_t>(state.rungs[r])] = true;
  }
  for (const bool is_held : held)
    if (!is_held) refuse_checkpoint();
  put(state.rungs);
  accepted_.copy_from(state.accepted);
  proposed_ = state.proposed;
}

}  // namespace larmor::tempering
