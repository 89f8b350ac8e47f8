#pragma once
// Parallel tempering of Ising spins that are stored as bits. There are many samples of quenched
// disorder, and each has one or several copies of a ladder of temperatures. 64 samples share the
// words of a ladder, one word per rung, but each sample has its own decisions and random numbers.
// An exchange moves temperatures; spins stay in their words. The bits of results depend neither on
// the number of threads nor on the instruction set, and they are equal on a GPU.
//
// On a GPU, all sweeps and exchanges of a call stay in shared memory if all words of a ladder fit
// into it at once. This needs a grid of two colours, with even periodic axes of four sites or more.

#include <array>
#include <optional>

#include "larmor/ising/multispin/samples/bit_samples.hpp"
#include "larmor/ising/multispin/samples/ladder_exchange_view.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::ising {

/// Whole-number counts since the last reset.
struct LadderExchangeCounts {
  /// Proposals to each ladder: how many were for the pairs (0, 1), (2, 3), .., and for (1, 2), ..
  std::array<Index, 2> proposed{0, 0};
  std::vector<std::int64_t> accepted;  ///< exchanges of a rung with the next [ladders][rungs - 1]
  /// Walkers that visited the first end last [ladders][rungs].
  std::vector<std::int64_t> from_first;
  std::vector<std::int64_t> from_last;  ///< [ladders][rungs]
  /// Round trips that each replica has completed [ladders][rungs].
  std::vector<std::int64_t> round_trips;
};

/// Contents of a checkpoint, for the ladders and replicas of the process.
struct SampleLadderState {
  std::vector<std::uint64_t> spins;  ///< as BitSamples::packed
  std::vector<std::int32_t> rungs;   ///< [word * 64 + sample]
  std::vector<std::int8_t> labels;   ///< [word * 64 + sample]
  /// Numbers of proposals made so far, and until the last reset of counts.
  std::uint64_t proposals = 0, proposals_at_reset = 0;
  /// Counts as they are stored, [group][rung][64]. round_trips has an entry for each replica.
  std::vector<std::int64_t> accepted, from_first, from_last, round_trips;
};

/// Words that hold some samples of a study. Each word holds 64.
struct WordsOfSamples {
  Index first, count, all;
};

inline WordsOfSamples words_of_samples(Index first, Index count, Index all) {
  const auto words_of = [](Index samples) {
    return (samples + samples_of_word - 1) / samples_of_word;
  };
  const Index begin = first / samples_of_word;
  return {begin, words_of(first + count) - begin, words_of(all)};
}

struct SamplePlace {
  Index word;
  int sample;
};

class SampleLadders {
 public:
  /// The replica with the number rung + rungs * (copy + copies * sample) begins at `rung`. All
  /// temperatures are infinite at first.
  /// @param layout its number of samples is a multiple of 64, and samples have the numbers that
  /// `couplings` uses
  /// @param groups groups of this process. A group has 64 samples of one copy. The copies of a set
  /// of samples are consecutive
  /// @param couplings first_sample is not used
  /// @throws InputError for the errors of BitSamples, fewer than two rungs, or a wrong number of
  /// samples
  /// @throws InternalError if only some copies of a sample are in this process
  SampleLadders(const SampleGraph& graph, const SampleCouplings& couplings,
                const tempering::LadderLayout& layout, const ReplicaShare& groups,
                std::uint64_t seed, const Device& device, Rule rule = Rule::metropolis);
  /// Makes ladders for all groups of the study.
  SampleLadders(const SampleGraph& graph, const SampleCouplings& couplings,
                const tempering::LadderLayout& layout, std::uint64_t seed, const Device& device,
                Rule rule = Rule::metropolis);

  const tempering::LadderLayout& layout() const { return layout_; }
  Index sites() const { return samples_.sites(); }
  Index groups() const { return samples_.words() / layout_.rungs; }
  /// Number of ladders in this process.
  Index ladders() const { return groups() * samples_of_word; }
  BitSamples& samples() { return samples_; }
  const BitSamples& samples() const { return samples_; }

  /// Sets the temperatures of the rungs. Rungs keep their replicas. @param thermal_energies k_B T,
  /// above 0 [rungs]
  void set_ladder(const std::vector<double>& thermal_energies);

  /// Sweeps, and proposes exchanges after every exchange_every sweeps. The first proposal of a
  /// study, and then every second one, is for the pairs (0, 1), (2, 3), ... All other proposals are
  /// for the pairs (1, 2), ... Does not wait for a GPU.
  /// @param sweeps a multiple of exchange_every @param exchange_every 0: no exchanges
  void run(Index sweeps, Index exchange_every, UpdateCounter& steps);

  /// Place of the spins of a replica of the process.
  SamplePlace place_of(Index replica) const {
    const std::int32_t place = place_of_replica_[static_cast<std::size_t>(replica)];
    return {place / samples_of_word, place % samples_of_word};
  }
  Index replica_at(const SamplePlace& place) const;
  /// Sorts entries by replica. @param of_places [word * 64 + sample]
  template <class T>
  std::vector<T> by_replica(const std::vector<T>& of_places) const;
  /// Sorts entries by place. This is the inverse of by_replica.
  template <class T>
  std::vector<T> by_place(const std::vector<T>& of_replicas) const;
  /// Rungs of the replicas [replicas of the process]; waits for a GPU
  std::vector<std::int32_t> rungs() const { return by_replica(samples_.rungs_on_host()); }
  /// Writes spins in the layout of samples(), sorted by rung. The word with the number n in its
  /// group gets the spins at rung n, for every sample. Does not wait for a GPU. @param spins has
  /// the size of samples().stored()
  void write_by_rung(Array<std::uint32_t>& spins) const;
  /// Moves the spins at each rung to the replica that began at this rung. Each replica is then at
  /// its first rung. Resets counts and labels of walkers.
  void move_to_rungs();
  /// Sets the number of the next proposal, so that random numbers differ from those of an earlier
  /// stage.
  void set_first_proposal(std::uint64_t proposal) { proposals_ = proposals_at_reset_ = proposal; }
  /// For each rung, the word of the process that holds it. [ladders][rungs], with ladders as
  /// layout() numbers them. Waits for a GPU
  std::vector<std::int32_t> words_at_rungs() const;
  LadderExchangeCounts counts() const;
  void reset_counts();

  SampleLadderState state() const;
  /// @throws InputError for a state of other ladders
  void set_state(const SampleLadderState& state);

  /// Do all sweeps and exchanges of a call of `run` stay in the shared memory of a GPU?
  bool stays_in_shared_memory() const { return grid_ && !samples_.has_lazy_sweeps(); }

 private:
  LadderExchangeView exchange_view() const;
  /// First rung of each sample. [word * 64 + sample]
  std::vector<std::int32_t> first_rungs() const;
  /// Records which words hold the rungs. @param rungs [word * 64 + sample]
  /// @throws InputError if two words of a ladder hold one rung
  void assign_rungs(const std::vector<std::int32_t>& rungs);
  void propose();
  bool ladders_fit(const SampleGraph& graph) const;

  tempering::LadderLayout layout_;
  std::uint64_t seed_;
  Index first_group_;
  BitSamples samples_;
  double coupling_;
  /// Sizes of the grid, if its words stay in the shared memory of a GPU; otherwise empty.
  std::optional<std::vector<Index>> grid_;
  Array<RegularPlace> places_;
  std::vector<std::int32_t> place_of_replica_;  ///< word * 64 + sample [replicas of the process]
  std::uint64_t proposals_ = 0, proposals_at_reset_ = 0;
  Array<double> beta_;
  Array<std::int32_t> word_at_, ends_[2];
  Array<SampleSums> sums_;
  Array<std::int64_t> accepted_, from_first_, from_last_, round_trips_;
  Array<tempering::WalkerLabel> label_;
};

template <class T>
std::vector<T> SampleLadders::by_replica(const std::vector<T>& of_places) const {
  std::vector<T> of_replicas;
  of_replicas.reserve(of_places.size());
  for (const std::int32_t place : place_of_replica_)
    of_replicas.push_back(of_places[static_cast<std::size_t>(place)]);
  return of_replicas;
}

template <class T>
std::vector<T> SampleLadders::by_place(const std::vector<T>& of_replicas) const {
  std::vector<T> of_places(of_replicas.size());
  for (std::size_t replica = 0; replica < of_replicas.size(); ++replica)
    of_places[static_cast<std::size_t>(place_of_replica_[replica])] = of_replicas[replica];
  return of_places;
}

}  // namespace larmor::ising
