#pragma once
// Ising spins s = +-1 of several replicas on a regular grid. Each spin is a bit. The energy is
//
//     H = -J sum over bonds of e_ij s_i s_j ,     e_ij = 1, or +-1 with equal probability,
//
// with bonds between nearest neighbours. Updates go colour by colour of the checkerboard. The bits
// of results depend neither on the number of threads nor on the instruction set. On a GPU, and if
// ranks share the grid, these bits are equal too.
//
// Along a periodic axis, every site has a bond to the next site. If the axis has two sites, two
// bonds join them.

#include <cstdint>
#include <memory>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/ranks/plane_slabs.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/ising/multispin/grid/kernels.hpp"

namespace larmor::ising {

struct GridShape {
  std::vector<Index> size;     ///< sites along each of 1 to 4 axes
  std::vector<bool> periodic;  ///< one flag per axis; empty: all are periodic

  Index sites() const;
};

/// @throws InputError for a shape that cannot be stored as bits
void require_bits(const GridShape& shape);

struct Couplings {
  double J = 1;
  /// Does every bond have its own sign, drawn with this seed?
  bool random_signs = false;
  std::uint64_t seed = 0;
  /// The sample of each replica. Replicas of one sample have equal signs. [replicas of the study];
  /// empty: all replicas have sample 0
  std::vector<std::uint64_t> sample;
};

/// Bytes that updates on a GPU need in addition to the spins. @param sites number of sites of a
/// replica
double update_bytes_on_gpu(Index sites, Index replicas);

class BitLattice {
 public:
  /// All spins are up, and T is infinite.
  /// @param replicas replicas of this process @param seed seed of the updates
  /// @param world ranks that share the sites, each with consecutive planes across the last axis.
  /// All ranks must construct the object together. They must also call every function that reads or
  /// changes spins together. The communicator must outlive this object; null: this process has all
  /// sites
  /// @throws InputError for a shape that cannot be stored as bits, or more ranks than planes
  /// @throws MachineError if memory is insufficient
  BitLattice(const GridShape& shape, const Couplings& couplings, const ReplicaShare& replicas,
             std::uint64_t seed, const Device& device, Rule rule = Rule::metropolis,
             const Communicator* world = nullptr);

  const GridShape& shape() const { return shape_; }
  Index sites() const { return shape_.sites(); }
  Index bonds() const { return bonds_; }
  Index replicas() const { return share_.count; }
  const Device& device() const { return device_; }
  /// One line of text that says how ranks exchange spins; empty if no ranks share spins.
  std::string exchange_text() const { return slabs_ ? slabs_->description() : ""; }

  /// Sets every spin up or down with equal probability.
  void randomise(std::uint64_t seed);
  void set_all(bool up);
  /// Overwrites replicas with copies of other replicas of their sample: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);
  /// @param thermal_energies k_B T of each replica, or one for all; 0 or more, infinity is allowed
  /// @throws InputError if a temperature is negative or missing
  void set_temperatures(const std::vector<double>& thermal_energies);

  /// Updates every spin of every replica `count` times. Does not wait for a GPU.
  /// @param steps counter of sweeps, which keys the random numbers
  void sweep(Index count, UpdateCounter& steps);

  /// Sum over bonds of e_ij s_i s_j of each replica. The energy is -J times this sum. Waits for a
  /// GPU.
  std::vector<std::int64_t> bond_sums() const;
  /// Sum of the spins of each replica.
  std::vector<std::int64_t> spin_sums() const;
  struct Sums {
    std::vector<std::int64_t> bonds, spins;
  };
  /// Sums over bonds and spins, in one pass.
  Sums sums() const;

  /// +1 or -1 for each site; the first axis varies fastest.
  std::vector<std::int8_t> spins(Index replica) const;
  /// @param spins +1 or -1 for all replicas (replica, site), in the order of `spins`
  /// @throws InternalError for another size
  void set_spins(const std::vector<std::int8_t>& spins);
  /// e of the bond from each site to the next one along an axis, in the order of `spins`.
  std::vector<std::int8_t> bond_signs(Index replica, int axis) const;

  /// FORMAT: for each replica, both colours in the order of word_grid.hpp. Each 64-bit word holds
  /// two 32-bit words, the first one in the low half. [replicas][sites / 64]
  std::vector<std::uint64_t> packed() const;
  /// @throws InputError for another number of words
  void set_packed(const std::vector<std::uint64_t>& words);

  /// Switches a counter of the 32-bit random words that sweeps draw on a CPU.
  void count_random_words(bool counting) { counting_ = counting; }
  std::uint64_t random_words() const { return drawn_; }

  /// Sizes and pointers for kernels, valid while this object lives.
  LatticeView view() const;

 private:
  Index own_words() const { return grid_.last - grid_.first; }
  /// Index of the grid's first word in an array of one colour. This index may lie before the array.
  Index origin() const { return spare_words + halo_words_ - grid_.first; }
  void make_signs();
  void update(const UpdateRequest& request);
  void update_shared(const UpdateRequest& request);
  void exchange(int colour);
  std::vector<std::uint32_t> words_of(Index first_array, Index arrays) const;
  void set_own_words(const std::vector<std::uint32_t>& words);

  GridShape shape_;
  Couplings couplings_;
  Rule rule_;
  ReplicaShare share_;
  std::uint64_t seed_;
  Device device_;
  WordGrid grid_;
  std::unique_ptr<PlaneSlabs> slabs_;  ///< null: this process has all sites
  Index halo_words_ = 0;               ///< words of a copied plane of another rank
  Index array_words_ = 0, bonds_ = 0;
  bool upper_half_ = false, counting_ = false, has_lazy_sweeps_ = false;
  std::uint64_t drawn_ = 0;
  Array<std::uint32_t> spins_;  ///< with halo and spare words around every colour's array
  Array<std::uint32_t> flags_, signs_;
  Array<std::uint64_t> mailboxes_;  ///< words that blocks of a GPU send to each other
  std::uint32_t exchanges_ = 1;  ///< number of the next exchange; no mailbox in use has this number
  Array<Acceptance> acceptance_;  ///< (sweeps and lazy sweeps, replica)
  Array<std::uint64_t> sample_;
  Array<Index> signs_of_replica_;
};

}  // namespace larmor::ising
