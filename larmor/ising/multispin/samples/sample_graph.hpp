#pragma once
// Bonds of spins, which many samples share. A sign place says which random bit gives the sign of a
// bond in a sample.

#include <cstdint>
#include <vector>

#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/multispin/samples/samples_view.hpp"

namespace larmor::ising {

struct SignedBond {
  Index i, j;    ///< sites
  int sign = 1;  ///< +1 or -1, in all samples
};

/// BITS: the place of a bond's sign. In each sample, the sign is bit (number % 32) of the word of
/// signs (number / 32) of this colour and axis. See words_of_sign_call for how words are drawn.
struct SignPlace {
  std::uint64_t number;
  int colour = 0, axis = 0;
};

struct SampleGraph {
  Index sites = 0;
  std::vector<SignedBond> bonds = {};  ///< several bonds may join one pair of sites
  /// The place of each bond's sign; empty: bond n has the number n.
  std::vector<SignPlace> sign_places = {};
  /// Sizes of a grid with periodic axes and with the bonds of grid_graph; empty if the graph is not
  /// such a grid.
  std::vector<Index> grid = {};

  /// Is the graph a grid with two properties? Neighbours have even and odd sums of coordinates, and
  /// one bond joins them.
  bool is_two_coloured_grid() const;
};

/// Bonds between nearest neighbours of a grid. The first axis varies fastest. The bonds of a site
/// are consecutive, axis by axis. The signs of a sample equal those of a BitLattice of this shape.
/// @throws InputError for a grid without sites, or a periodic axis of one site
SampleGraph grid_graph(const GridShape& shape);

/// Signs of every bond in samples `first_sample` to `first_sample` + 63: bit k is 1 if the bond is
/// negative in sample first_sample + k. [bonds]
std::vector<std::uint64_t> signs_of_samples(const SampleGraph& graph, std::uint64_t seed,
                                            std::uint64_t first_sample);

}  // namespace larmor::ising
