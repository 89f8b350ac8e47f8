#include "larmor/study/sampling/temperature_exchange.hpp"

#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/study/sampling/temperature_exchange_kernel.hpp"

namespace larmor::study {
namespace {

Pending numbers_later(const Array<double>& numbers) {
  if (numbers.device().backend == Backend::cpu) return Pending(numbers.to_host());
  return {numbers.device(), numbers.data(), numbers.size()};
}

[[noreturn]] void refuse_checkpoint() {
  throw InputError("the checkpoint's exchange of temperatures does not fit the study",
                   "resume the results it belongs to");
}

/// A ladder that copies of it can be made of. @throws InternalError
std::vector<double> checked(std::vector<double> ladder, const ReplicaShare& replicas) {
  const auto rungs = static_cast<Index>(ladder.size());
  if (rungs < 2) throw InternalError("a ladder of temperatures has fewer than two rungs");
  if (replicas.first % rungs != 0 || replicas.count % rungs != 0 || replicas.all % rungs != 0)
    throw InternalError("replicas are no whole copies of a ladder of temperatures");
  return ladder;
}

}  // namespace

TemperatureExchange::TemperatureExchange(std::vector<double> ladder, const ReplicaShare& replicas,
                                         std::uint64_t seed, const Device& device)
    : ladder_(checked(std::move(ladder), replicas)),
      share_(replicas),
      seed_(seed),
      rung_(device, replicas.count),
      replica_at_(device, replicas.count),
      accepted_(device, copies().own * (rung_count() - 1)) {
  std::vector<double> rung;
  for (Index r = 0; r < share_.count; ++r) rung.push_back(static_cast<double>(r % rung_count()));
  put(rung);
}

RankShare TemperatureExchange::copies() const {
  return {share_.first / rung_count(), share_.count / rung_count(), share_.all / rung_count()};
}

void TemperatureExchange::put(const std::vector<double>& rung) {
  std::vector<std::int32_t> replica_at(rung.size());
  for (std::size_t r = 0; r < rung.size(); ++r)
    replica_at[r / ladder_.size() * ladder_.size() + static_cast<std::size_t>(rung[r])] =
        static_cast<std::int32_t>(r);
  rung_.copy_from(rung);
  replica_at_.copy_from(replica_at);
}

void TemperatureExchange::propose(int parity, std::uint64_t step, const ExchangeView& view) {
  const Region region("exchange of temperatures");
  ++proposed_[static_cast<std::size_t>(parity)];
  const RandomKey key{seed_, step, Stream::temperature_exchange,
                      static_cast<std::uint64_t>(copies().first)};
  const ExchangePass pass{
      view,   rung_.data(), replica_at_.data(), accepted_.data(), copies().own, rung_count(),
      parity, key};
  if (pass.pairs() == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (rung_.device().backend == Backend::cuda) return exchange_on_gpu(rung_.device(), pass);
#endif
  require_cpu(rung_.device());
  for (Index i = 0; i < pass.pairs(); ++i) ExchangePair{pass}(i);
}

Pending TemperatureExchange::rungs() const { return numbers_later(rung_); }

Pending TemperatureExchange::acceptance() const {
  return numbers_later(accepted_).then(
      [proposed = proposed_, pairs = ladder_.size() - 1](std::vector<double>& numbers) {
        for (std::size_t n = 0; n < numbers.size(); ++n) {
          const Index times = proposed[n % pairs % 2];
          numbers[n] = times == 0 ? 0 : numbers[n] / static_cast<double>(times);
        }
      });
}

void TemperatureExchange::reset_acceptance() {
  accepted_.copy_from(std::vector<double>(static_cast<std::size_t>(accepted_.size())));
  proposed_ = {};
}

std::vector<double> TemperatureExchange::thermal_energies() const {
  std::vector<double> energies;
  for (const double rung : rung_.to_host())
    energies.push_back(ladder_[static_cast<std::size_t>(rung)]);
  return energies;
}

void TemperatureExchange::save(StageMemory& memory, const Ranks& ranks) const {
  memory.numbers["rungs"] = ranks.gathered(rung_.to_host(), replicas());
  memory.numbers["exchanges_accepted"] =
      ranks.gathered(accepted_.to_host(), copies(), rung_count() - 1);
  memory.integers["exchanges_proposed"] = {proposed_[0], proposed_[1]};
}

void TemperatureExchange::load(const StageMemory& memory, const Ranks& ranks) {
  const std::vector<double> rung = ranks.own_of(memory.number("rungs"), replicas());
  const std::vector<double> accepted =
      ranks.own_of(memory.number("exchanges_accepted"), copies(), rung_count() - 1);
  const std::vector<Index>& proposed = memory.integer("exchanges_proposed");
  if (static_cast<Index>(rung.size()) != rung_.size() ||
      static_cast<Index>(accepted.size()) != accepted_.size() || proposed.size() != 2)
    refuse_checkpoint();
  std::vector<bool> held(rung.size());
  for (std::size_t r = 0; r < rung.size(); ++r) {
    if (!(rung[r] >= 0 && rung[r] < static_cast<double>(ladder_.size()))) refuse_checkpoint();
    held[r / ladder_.size() * ladder_.size() + static_cast<std::size_t>(rung[r])] = true;
  }
  for (const bool is_held : held)
    if (!is_held) refuse_checkpoint();
  put(rung);
  accepted_.copy_from(accepted);
  proposed_ = {proposed[0], proposed[1]};
}

}  // namespace larmor::study
