#pragma once
// Bonds of spins, the same for many samples, and the random bit for the sign of each bond in a
// sample.

#include <cstdint>
#include <vector>

#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/multispin/samples/samples_view.hpp"

namespace larmor::ising {

struct SignedBond {
  Index i, j;    ///< sites
  int sign = 1;  ///< +1 or -1, in all samples
};

/// BITS: the sign of a bond in a sample is bit number % 32 of the word of signs number / 32 of this
/// colour and axis. See words_of_sign_call for how words are drawn.
struct SignPlace {
  std::uint64_t number;
  int colour = 0, axis = 0;
};

struct SampleGraph {
  Index sites = 0;
  std::vector<SignedBond> bonds = {};  ///< two sites may share several
  /// Place for each bond; empty: bond n has number n.
  std::vector<SignPlace> sign_places = {};
  /// Sizes of a grid with periodic axes and the bonds of grid_graph; empty: another graph.
  std::vector<Index> grid = {};

  /// Is it a grid on which sites with even and odd sums of coordinates alternate, and neighbours
  /// share one bond?
  bool is_two_coloured_grid() const;
};

/// Bonds between nearest neighbours of a grid. The first axis varies fastest; bonds of a site are
/// consecutive, axis by axis. Signs in a sample are those of a BitLattice of this shape.
/// @throws InputError for a grid without sites, or a periodic axis of one site
SampleGraph grid_graph(const GridShape& shape);

/// Signs of every bond in samples `first_sample` to `first_sample` + 63: bit k is 1 if the bond is
/// negative in sample first_sample + k. [bonds]
std::vector<std::uint64_t> signs_of_samples(const SampleGraph& graph, std::uint64_t seed,
                                            std::uint64_t first_sample);

}  // namespace larmor::ising
