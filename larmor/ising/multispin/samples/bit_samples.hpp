#pragma once
// Ising spins s = +-1 on any graph. A word has 64 samples of a spin, one bit each. The energy is
//
//     H = -J sum over bonds of e_ij s_i s_j ,     e_ij = +1 or -1,
//
// Updates go colour by colour of the graph. The signs e_ij are equal in all samples, or drawn for
// each sample. Every sample has its own temperature and random numbers. The bits of results depend
// neither on the number of threads nor on the instruction set, and they are equal on a GPU.
//
// Two words with equal signs and different random numbers are two replicas of 64 samples. Overlaps
// compare these words bit by bit.

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
  /// Number n of the first sample of each word. The word has the samples n to n + 63. Words with
  /// equal n have equal signs. [words of the study]; empty: n is 64 times the number of the word
  std::vector<std::uint64_t> first_sample = {};
  /// Signs of all bonds in samples n to n + 63, as signs_of_samples returns them. Several threads
  /// may call it at once. null: signs_of_samples draws the signs
  std::function<std::vector<std::uint64_t>(std::uint64_t n)> signs = nullptr;
};

class BitSamples {
 public:
  /// All spins are up, and T is infinite.
  /// @param words the words of this process among all words of the study @param seed seed of
  /// updates
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
  /// @param thermal_energies k_B T of each sample, [word * 64 + sample of the word], or of each
  /// word, or one for all; 0 or more, may be infinite
  /// @throws InputError if a temperature is negative or missing
  void set_temperatures(const std::vector<double>& thermal_energies);

  /// Sets the temperatures of a ladder, and the rung of each sample.
  /// @param thermal_energies k_B T [rungs]
  /// @param rung [word * 64 + sample of the word]
  void set_ladder(const std::vector<double>& thermal_energies,
                  const std::vector<std::int32_t>& rung);
  /// Rung of each sample, on the device. set_ladder gave each rung its temperature.
  std::int32_t* rungs() { return temperature_.data(); }
  std::vector<std::int32_t> rungs_on_host() const { return temperature_.to_host(); }
  void set_rung_of_samples(const std::vector<std::int32_t>& rung) { temperature_.copy_from(rung); }

  /// Updates every spin of every sample `count` times. Does not wait for a GPU.
  /// @param steps counter of the step in the random keys; each sweep adds 1
  void sweep(Index count, UpdateCounter& steps);

  struct Sums {
    std::vector<std::int64_t> bonds, spins;  ///< [word * 64 + sample of the word]
  };
  /// Sums of e_ij s_i s_j over bonds, and of s_i over sites. The energy is -J times the sum over
  /// bonds. Waits for a GPU.
  Sums sums() const;
  /// Counts ends of unsatisfied bonds in every sample, as if J were positive. If the graph has two
  /// colours, one end of each bond counts. Otherwise both ends count. @param sums on the device
  /// [word * 64 + sample of the word]
  void add_up_ends(Array<SampleSums>& sums) const;
  /// Sums for two words with spins s and t, sample by sample. The sum of s_i t_i over sites is the
  /// overlap times the number of sites. The other sum has s_i t_i s_j t_j over bonds. [pair * 64 +
  /// sample of the word]
  /// @throws InternalError if this process lacks a word of a pair
  Sums overlaps(const std::vector<WordPair>& pairs) const;
  /// Adds up the counts from which `overlaps` is computed, for other spins in the layout of this
  /// object.
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

  /// FORMAT: bit k is 1 if the spin of sample k of the word is -1. [words][sites]
  std::vector<std::uint64_t> packed() const;
  /// The 32-bit words of spins as they are stored, see SamplesView.
  const Array<std::uint32_t>& stored() const { return spins_; }
  void set_stored(const Array<std::uint32_t>& spins);
  /// @throws InputError for another number of words
  void set_packed(const std::vector<std::uint64_t>& words);

  /// Switches a counter of the 32-bit random words that sweeps draw on a CPU.
  void count_random_words(bool counting) { counting_ = counting; }
  std::uint64_t random_words() const { return drawn_; }

  /// Sizes and pointers for kernels, valid while this object lives.
  SamplesView view() const;
  bool has_two_colours() const { return colours() == 2; }
  /// Arguments of the update after `steps` sweeps. The update may be lazy.
  /// @param steps step in the random keys
  SampleUpdate update_after(std::uint64_t steps) const;
  double coupling() const { return couplings_.J; }
  /// Are some sweeps of Metropolis lazy? See lattice/lazy_sweeps.hpp.
  bool has_lazy_sweeps() const { return has_lazy_sweeps_; }
  bool has_signs() const { return signs_.size() > 0; }
  /// Does the layout allow the kernel that runs ladders on a GPU (ladder_kernels.hpp)?
  bool is_regular() const;
  /// Places (colour, position). The layout must be regular, and a colour must have fewer than 2^14
  /// sites.
  std::vector<RegularPlace> regular_places() const;

 private:
  void make_positions();
  /// Does sweeps of which all are lazy, or none.
  void sweep_alike(Index count, UpdateCounter& steps);
  /// Sets the temperature of each number in `temperature_`. @throws InputError for a negative k_B T
  void set_rungs(const std::vector<double>& thermal_energies);
  /// The drawn signs of samples n to n + 63. They do not include the signs of the graph. [bonds]
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
  std::vector<int> first_run_;  ///< first run of each colour; then the number of runs
  Array<std::uint32_t> spins_;
  Array<std::int32_t> neighbour_, bond_, site_;
  Array<SampleRun> runs_on_device_;
  Array<std::uint32_t> signs_;
  Array<SignTable> sign_tables_;
  Array<std::uint64_t> thresholds_;  ///< (sweeps and lazy sweeps, entries as in SamplesView)
  Array<std::int32_t> temperature_;
};

}  // namespace larmor::ising
