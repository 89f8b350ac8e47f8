#pragma once
// Ising spins s = +-1 on any graph, with 64 samples per word, one bit each,
//
//     H = -J sum over bonds of e_ij s_i s_j ,     e_ij = +1 or -1,
//
// and their updates colour by colour of the graph. The signs e_ij are the same in all samples or
// drawn for each. Every sample has its own temperature and random numbers. Every result has the
// same bits for any number of threads and instruction set, and on a GPU.
//
// Two words with equal signs and different random numbers are two replicas of 64 samples: overlaps
// compare them bit by bit.

#include <cstdint>
#include <functional>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/ising/multispin/samples/sample_graph.hpp"
#include "larmor/ising/multispin/samples/sample_kernels.hpp"

namespace larmor::ising {

struct SampleCouplings {
  double J = 1;
  /// Does every bond of a sample have its own sign, + or - equally often, drawn with this seed?
  bool random_signs = false;
  std::uint64_t seed = 0;
  /// First sample n of each word, which has the samples n to n + 63. Words with equal n have equal
  /// signs. [words of the study]; empty: n = 64 times the number of the word
  std::vector<std::uint64_t> first_sample = {};
  /// Signs of all bonds in samples n to n + 63, as signs_of_samples returns them. Several threads
  /// may call it; null: signs_of_samples draws them
  std::function<std::vector<std::uint64_t>(std::uint64_t n)> signs = nullptr;
};

class BitSamples {
 public:
  /// All spins are up, and T is infinite.
  /// @param words words of this process, and their number in the study @param seed seed of updates
  /// @throws InputError for a graph or for sample numbers that the layout cannot store
  /// @throws MachineError if memory is insufficient
  BitSamples(const SampleGraph& graph, const SampleCouplings& couplings, const ReplicaShare& words,
             std::uint64_t seed, const Device& device, Rule rule = Rule::metropolis);

  Index sites() const { return graph_.sites; }
  Index bonds() const { return std::ssize(graph_.bonds); }
  Index words() const { return share_.count; }
  Index samples() const { return share_.count * samples_of_word; }
  int colours() const { return static_cast<int>(first_run_.size()) - 1; }
  const Device& device() const { return device_; }

  /// Sets every spin up or down with equal probability.
  void randomise(std::uint64_t seed);
  void set_all(bool up);
  /// @param thermal_energies k_B T of each sample, [word * 64 + sample of the word], of each word,
  /// or one for all; 0 or more, infinity is allowed
  /// @throws InputError for a negative or missing one
  void set_temperatures(const std::vector<double>& thermal_energies);

  /// Sets the temperatures of a ladder, and the rung of each sample.
  /// @param thermal_energies k_B T [rungs]
  /// @param rung [word * 64 + sample of the word]
  void set_ladder(const std::vector<double>& thermal_energies,
                  const std::vector<std::int32_t>& rung);
  /// Rung of each sample, on the device; its temperature is that of set_ladder.
  std::int32_t* rungs() { return temperature_.data(); }
  std::vector<std::int32_t> rungs_on_host() const { return temperature_.to_host(); }
  void set_rung_of_samples(const std::vector<std::int32_t>& rung) { temperature_.copy_from(rung); }

  /// Updates every spin of every sample `count` times. Does not wait for a GPU.
  /// @param steps the step in the key of the random numbers; increased by 1 for each sweep
  void sweep(Index count, UpdateCounter& steps);

  struct Sums {
    std::vector<std::int64_t> bonds, spins;  ///< [word * 64 + sample of the word]
  };
  /// Sums of e_ij s_i s_j over bonds and of s_i over sites. The energy is -J times the first. Waits
  /// for a GPU.
  Sums sums() const;
  /// Counts the ends of unsatisfied bonds in every sample, as if J were positive: one end of each
  /// bond if the graph has two colours, otherwise both. @param sums on the device [word * 64 +
  /// sample of the word]
  void add_up_ends(Array<SampleSums>& sums) const;
  /// Sums over the products s_i t_i of the spins of two words, sample by sample: over sites, which
  /// is the overlap times their number, and of s_i t_i s_j t_j over bonds. [pair * 64 + sample of
  /// the word]
  /// @throws InternalError for missing words
  Sums overlaps(const std::vector<WordPair>& pairs) const;
  /// Adds the counts from which `overlaps` is computed, for other spins with this layout.
  /// @param spins on the device @param sums on the device, added to [pair * 64 + sample of the
  /// word]
  void add_up_overlaps(const Array<std::uint32_t>& spins, const Array<WordPair>& pairs,
                       Array<SampleSums>& sums) const;

  /// +1 or -1 for each site.
  std::vector<std::int8_t> spins(Index word, int sample) const;
  /// e of each bond of the graph.
  std::vector<std::int8_t> bond_signs(Index word, int sample) const;
  /// Position of every site among the sites of its word.
  const std::vector<std::int32_t>& positions() const { return position_of_; }

  /// FORMAT: bit k is 1 where the spin of sample k of the word is -1. [words][sites]
  std::vector<std::uint64_t> packed() const;
  /// 32-bit words as they are stored, see SamplesView.
  const Array<std::uint32_t>& stored() const { return spins_; }
  void set_stored(const Array<std::uint32_t>& spins);
  /// @throws InputError for another number of words
  void set_packed(const std::vector<std::uint64_t>& words);

  /// Counts on a CPU the 32-bit random words that sweeps draw.
  void count_random_words(bool counting) { counting_ = counting; }
  std::uint64_t random_words() const { return drawn_; }

  /// Sizes and pointers for kernels, valid while this object lives.
  SamplesView view() const;
  bool has_two_colours() const { return colours() == 2; }
  /// The update that follows after `steps` sweeps, lazy or not.
  /// @param steps the step in the key of the random numbers
  SampleUpdate update_after(std::uint64_t steps) const;
  double coupling() const { return couplings_.J; }
  /// Are sweeps of Metropolis lazy? See lattice/lazy_sweeps.hpp.
  bool has_lazy_sweeps() const { return has_lazy_sweeps_; }
  bool has_signs() const { return signs_.size() > 0; }
  /// Does the layout suit the kernel of ladders on a GPU?
  bool is_regular() const;
  /// Places (colour, position), if the layout is regular and a colour has fewer than 2^14 sites.
  std::vector<RegularPlace> regular_places() const;

 private:
  void make_positions();
  /// Sweeps that are all lazy, or all not.
  void sweep_alike(Index count, UpdateCounter& steps);
  /// Sets the temperatures of the numbers in `temperature_`. @throws InputError for a negative k_B
  /// T
  void set_rungs(const std::vector<double>& thermal_energies);
  /// Signs of samples n to n + 63, without the signs of the graph. [bonds]
  std::vector<std::uint64_t> random_signs(std::uint64_t n) const;
  void make_signs();
  std::uint64_t first_sample(Index word) const;
  Index place_of(Index word, Index position) const;
  void require_word(Index word, int sample) const;
  Sums sums_of(const std::vector<SampleSums>& found) const;

  SampleGraph graph_;
  SampleCouplings couplings_;
  Rule rule_;
  ReplicaShare share_;
  std::uint64_t seed_;
  Device device_;
  int words_of_block_, width_ = 0;
  bool counting_ = false, words_are_uniform_ = true;
  bool needs_lazy_sweeps_ = false, has_lazy_sweeps_ = false;
  std::uint64_t drawn_ = 0;
  std::vector<std::int32_t> position_of_;  ///< [site]
  std::vector<std::int32_t> bond_number_;  ///< for each bond of the graph, index of its signs
  std::vector<SampleRun> runs_;
  std::vector<int> first_run_;  ///< for each colour, and the end
  Array<std::uint32_t> spins_;
  Array<std::int32_t> neighbour_, bond_, site_;
  Array<SampleRun> runs_on_device_;
  Array<std::uint32_t> signs_;
  Array<SignTable> sign_tables_;
  Array<std::uint64_t> thresholds_;  ///< (sweeps and lazy sweeps, entries as in SamplesView)
  Array<std::int32_t> temperature_;
};

}  // namespace larmor::ising
