#pragma once
// Samples that exchange their rungs. Rungs ladder words form a group: a word for each rung, all with
// the same 64 samples. In each bit place a ladder of its own exchanges the rungs that the words hold
// there; spins stay where they are. Each word finds out by itself which rung it has next, and both
// words of a pair decide alike.

#include "larmor/ising/samples/samples_view.hpp"
#include "larmor/tempering/exchange_rule.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::ising {

/// Plain data, for kernels; all arrays are where the samples are.
struct LadderPass {
  int rungs;
  Index copies;             ///< words of a rung that have the same samples
  Index first_group;        ///< of this process, among those of the study
  const double* beta;       ///< 1 / k_B T [rung]
  double energy_of_count;   ///< the energy that one more of the counted bonds costs
  SampleSums* sums[2];      ///< of proposals of either parity: bonds [word * 64 + sample]
  std::int32_t* rung;       ///< [word * 64 + sample]
  std::int32_t* word_at[2]; ///< before proposals of either parity (group, rung, sample): of the group
  // What is counted.
  std::int64_t* accepted;     ///< exchanges of a rung with the next (group, rung, sample)
  tempering::WalkerLabel* label;  ///< [word * 64 + sample]
  std::int64_t* from_first;   ///< (group, rung, sample)
  std::int64_t* from_last;    ///< (group, rung, sample)
  std::int64_t* round_trips;  ///< [word * 64 + sample]
  /// Of Stream::temperature_exchange; its step is the number of the first proposal.
  RandomKey key;

  LARMOR_HD Index at(Index group, Index rung, int sample) const {
    return (group * rungs + rung) * samples_of_word + sample;
  }
  /// Counted through the study.
  LARMOR_HD Index ladder(Index group, int sample) const {
    const Index of_study = first_group + group;
    return of_study % copies + copies * (of_study / copies * samples_of_word + sample);
  }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// The next rung of a sample of a word. @param proposal number
/// @return the rung
LARMOR_INLINE std::int32_t exchange_of(const LadderPass& pass, std::uint64_t proposal, Index word,
                                       int sample) {
  const auto parity = static_cast<int>(proposal % 2);
  const Index group = word / pass.rungs;
  const auto own = static_cast<std::int32_t>(word % pass.rungs);
  const Index here = word * samples_of_word + sample;
  const std::int32_t rung = pass.rung[here];
  const bool is_lower = rung % 2 == parity;
  const std::int32_t partner = is_lower ? rung + 1 : rung - 1;
  std::int32_t next = rung;
  if (partner >= 0 && partner < pass.rungs) {
    const Index other =
        group * pass.rungs + pass.word_at[parity][pass.at(group, partner, sample)];
    const std::int64_t difference =
        pass.sums[parity][here].twice_unsatisfied -
        pass.sums[parity][other * samples_of_word + sample].twice_unsatisfied;
    const double exponent = (pass.beta[rung] - pass.beta[partner]) *
                            (pass.energy_of_count * static_cast<double>(difference));
    RandomKey key = pass.key;
    key.step = proposal;
    const std::int32_t lower = is_lower ? rung : partner;
    if (tempering::exchange_accepted(exponent, key, lower, pass.ladder(group, sample))) {
      next = partner;
      if (is_lower) ++pass.accepted[pass.at(group, lower, sample)];
    }
  }
  pass.word_at[1 - parity][pass.at(group, next, sample)] = own;
  pass.rung[here] = next;
  const tempering::WalkerLabel before = pass.label[here];
  const tempering::WalkerLabel now = tempering::label_at(next, pass.rungs, before);
  if (tempering::ends_round_trip(next, before)) ++pass.round_trips[here];
  pass.label[here] = now;
  const Index at = pass.at(group, next, sample);
  if (now == tempering::WalkerLabel::from_first) ++pass.from_first[at];
  if (now == tempering::WalkerLabel::from_last) ++pass.from_last[at];
  return next;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
