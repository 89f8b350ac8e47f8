#pragma once
// The radial distribution function of each pair of types,
//
//   g_ab(r) = < n_ab(r) V / (N_a N_b v(r)) >,
//
// where n_ab(r) is the number of ordered pairs of an atom of type a and an atom of type b. The
// distance of the pair lies in the bin of r, and v(r) is the volume of the bin's shell. N_a and N_b
// are the numbers of atoms, and V is the volume of the box. All periodic images count, also images
// of an atom itself. So boxes of any size give g of the infinite crystal that the periodic box
// represents. In an ideal gas, g_aa is 1 - 1/N_a at distances below the length of the box. An atom
// of type a has on average sum g_ab v N_b / V neighbours of type b.

#include "larmor/atoms/observables/blocked_means.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

class RadialDistribution {
 public:
  struct Settings {
    double r_max = 0;  ///< Angstrom
    Index bins = 1;    ///< bins of equal width from 0 to r_max
    Index frames_of_block = 1;
  };

  /// @param types number of types
  /// @throws InputError for a distance that is not positive, or no bins
  RadialDistribution(const AtomLayout& layout, Index types, const Settings& settings, int threads);

  /// @throws InputError for a box that is not periodic in all directions, and the errors of
  /// `find_neighbours`
  void add(const AtomState& state);
  Index frames() const { return frames_; }

  /// Pairs of types a <= b: (0, 0), (0, 1), .., (1, 1), ..
  const std::vector<std::array<Index, 2>>& pairs() const { return pairs_; }
  /// Edges of the bins, Angstrom [bins + 1].
  std::vector<double> edges() const;
  /// g [pair, bin] for each block and replica; NaN if a replica has no atom of a type.
  const BlockedMeans& means() const { return means_; }

  /// All numbers of the average, replica by replica. All replicas have equally many numbers.
  /// FORMAT: in checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  std::size_t number_of(std::int32_t a, std::int32_t b) const;
  /// Counts of one replica [pair, bin]: n_ab(r) if a = b, otherwise 2 n_ab(r), because each pair is
  /// found from both of its atoms.
  std::vector<double> count(const AtomState& state, Index replica) const;

  AtomLayout layout_;
  Index types_;
  Settings settings_;
  int threads_;
  std::vector<std::array<Index, 2>> pairs_;
  BlockedMeans means_;
  Index frames_ = 0;
  std::vector<double> sum_;  ///< sum of g over the frames of the block [replica, pair, bin]
};

}  // namespace larmor::atoms
