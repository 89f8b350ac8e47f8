#pragma once
// Exchange of rungs between samples. A group has one word for each rung, and its words hold one set
// of 64 samples. Each bit has its own ladder. An exchange swaps the rungs of two words at this bit;
// spins stay in their words. Each word computes its next rung. Both words of a pair reach equal
// decisions, because they use equal numbers.

#include "larmor/ising/multispin/samples/samples_view.hpp"
#include "larmor/tempering/exchange_rule.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::ising {

/// Plain data for kernels; all arrays are on the device of the samples.
struct LadderExchangeView {
  int rungs;
  Index copies;          ///< number of copies: words at each rung that hold one set of samples
  Index first_group;     ///< number in the study of this process's first group
  const double* beta;    ///< 1 / k_B T [rung]
  double energy_of_end;  ///< energy that each counted end of an unsatisfied bond adds
  /// Numbers of ends of unsatisfied bonds, counted before a proposal. There is one array for even
  /// proposals and one for odd ones. (group, rung, sample)
  std::int32_t* ends[2];
  std::int32_t* rung;     ///< [word * 64 + sample]
  std::int32_t* word_at;  ///< number of the word in its group (group, rung, sample)
  // Counts.
  std::int64_t* accepted;         ///< exchanges of a rung with the next (group, rung, sample)
  tempering::WalkerLabel* label;  ///< [word * 64 + sample]
  std::int64_t* from_first;       ///< (group, rung, sample)
  std::int64_t* from_last;        ///< (group, rung, sample)
  std::int64_t* round_trips;      ///< [word * 64 + sample]
  /// Key of Stream::temperature_exchange.
  RandomKey key;

  LARMOR_HD Index at(Index group, Index of_group, int sample) const {
    return (group * rungs + of_group) * samples_of_word + sample;
  }
  /// Number in the study of the ladder of a sample in a group.
  LARMOR_HD Index ladder(Index group, int sample) const {
    const Index of_study = first_group + group;
    return of_study % copies + copies * (of_study / copies * samples_of_word + sample);
  }
};

/// Place of a sample of a word in its ladder.
struct LadderPlace {
  std::int32_t rung;
  tempering::WalkerLabel label;
};

inline namespace LARMOR_ISA_NAMESPACE {

LARMOR_INLINE void add_one(std::int64_t& count) {
#if defined(__CUDA_ARCH__)
  // No other thread adds here. An atomic addition is used because it does not wait for memory.
  atomicAdd(reinterpret_cast<unsigned long long*>(&count), 1ull);
#else
  ++count;
#endif
}

/// The place of a sample of a word after a proposal. All words of the group must have called
/// record_ends.
/// @param proposal number of the proposal, as in record_ends
LARMOR_INLINE LadderPlace exchanged(const LadderExchangeView& exchange, std::uint64_t proposal,
                                    Index word, int sample, const LadderPlace& before) {
  const auto parity = static_cast<int>(proposal % 2);
  const Index group = word / exchange.rungs;
  const bool is_lower = before.rung % 2 == parity;
  const std::int32_t partner = is_lower ? before.rung + 1 : before.rung - 1;
  LadderPlace now = before;
  if (partner >= 0 && partner < exchange.rungs) {
    const std::int32_t* const ends = exchange.ends[parity];
    const std::int32_t difference =
        ends[exchange.at(group, before.rung, sample)] - ends[exchange.at(group, partner, sample)];
    const double exponent = (exchange.beta[before.rung] - exchange.beta[partner]) *
                            (exchange.energy_of_end * static_cast<double>(difference));
    RandomKey key = exchange.key;
    key.step = proposal;
    const std::int32_t lower = is_lower ? before.rung : partner;
    if (tempering::exchange_accepted(exponent, key, lower, exchange.ladder(group, sample))) {
      now.rung = partner;
      if (is_lower) add_one(exchange.accepted[exchange.at(group, lower, sample)]);
    }
  }
  const Index at = exchange.at(group, now.rung, sample);
  exchange.word_at[at] = static_cast<std::int32_t>(word % exchange.rungs);
  now.label = tempering::label_at(now.rung, exchange.rungs, before.label);
  if (tempering::ends_round_trip(now.rung, before.label))
    add_one(exchange.round_trips[word * samples_of_word + sample]);
  if (now.label == tempering::WalkerLabel::from_first) add_one(exchange.from_first[at]);
  if (now.label == tempering::WalkerLabel::from_last) add_one(exchange.from_last[at]);
  return now;
}

/// Does the exchange of a sample of a word. Reads the rung and the label from memory and writes
/// them back.
LARMOR_INLINE void exchange_stored(const LadderExchangeView& exchange, std::uint64_t proposal,
                                   Index word, int sample) {
  const Index here = word * samples_of_word + sample;
  const LadderPlace now =
      exchanged(exchange, proposal, word, sample, {exchange.rung[here], exchange.label[here]});
  exchange.rung[here] = now.rung;
  exchange.label[here] = now.label;
}

/// Writes the number of ends that a word has, for the other words of its group. Called before a
/// proposal.
LARMOR_INLINE void record_ends(const LadderExchangeView& exchange, std::uint64_t proposal,
                               Index word, int sample, std::int32_t rung, std::int32_t ends) {
  exchange.ends[proposal % 2][exchange.at(word / exchange.rungs, rung, sample)] = ends;
}

/// Spins of a half, sorted by rung. The word with the number n in its group gets the spin of every
/// sample at rung n.
/// @param word_at as in LadderExchangeView
LARMOR_INLINE std::uint32_t spins_at_rung(const SamplesView& view, int rungs,
                                          const std::int32_t* word_at, Index word, int half,
                                          Index position) {
  const Index first_word = word / rungs * rungs;
  const std::int32_t* const words = word_at + word * samples_of_word + half * 32;
  std::uint32_t spins = 0;
  for (int bit = 0; bit < 32; ++bit)
    spins |= view.spins_of((first_word + words[bit]) * halves + half)[position * view.stride()] &
             (1u << bit);
  return spins;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
