#pragma once
// Pairs of sites that interact: translates of a stencil on lattices, explicit pairs elsewhere.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// From atom `from` of a cell to atom `to` of the cell at `offset`; stands for all its translates.
struct StencilBond {
  int from, to;
  std::array<int, 3> offset;
  Vec3<double> r;  ///< from `from` to `to`
};

/// One pair of sites, i < j unless the user ordered them.
struct PairBond {
  Index i, j;
  Vec3<double> r;  ///< from i to j
};

/// The two species a bond must join, in any order.
using SpeciesPair = std::optional<std::array<std::string, 2>>;

/// All bonds of a neighbour shell, each once. Shells are the distinct distances between any two
/// atoms of the infinite crystal, counted from 1, equal within input_tolerance; `between` filters
/// what a shell holds, and then only distances that the two species have are counted. In an alloy
/// they have the distances of the basis atoms that may be replaced by them, wherever they happen to
/// stand.
/// @throws InputError when the shell does not exist for these species, or reaches past the whole
///         lattice to the site itself
std::vector<StencilBond> stencil_by_shell(const Geometry& geometry, int shell,
                                          const SpeciesPair& between);

/// All bonds up to a length, each once.
/// @throws InputError when one reaches past the whole lattice to the site itself
std::vector<StencilBond> stencil_within(const Geometry& geometry, double cutoff);

/// All bonds up to a length between sites of the lattice, each once; without those that reach
/// around it to the site itself.
std::vector<StencilBond> stencil_between_sites(const Geometry& geometry, double cutoff);

/// @throws InputError when the bond connects an atom with itself
StencilBond stencil_by_offset(const Geometry& geometry, int from, int to,
                              const std::array<int, 3>& offset);

/// Can sites of the basis atoms `a` and `b` be of the species `between`?
bool may_join(const Geometry& geometry, Index a, Index b, const SpeciesPair& between);

/// Do the sites i and j have spins, of the species `between`?
bool joins(const Geometry& geometry, Index i, Index j, const SpeciesPair& between);

/// Is the lattice long enough along its open directions for any translate of the bond?
bool fits(const Geometry& geometry, const StencilBond& bond);

/// Do two bonds have the same translates, either way round?
bool same_bond(const StencilBond& a, const StencilBond& b);

/// The site at the other end of a bond from `site`, or -1 beyond an open boundary.
Index neighbour(const Geometry& geometry, Index site, const StencilBond& bond);

/// Plain positions: all pairs within `cutoff`, each once, by cell lists; of sites that may be of
/// the species `between`.
/// @throws InputError when the cutoff exceeds half a periodic length
std::vector<PairBond> pairs_within(const Geometry& geometry, double cutoff,
                                   const SpeciesPair& between);

/// Calls visit for each of them, in any order; none is kept.
/// @throws InputError as pairs_within
void for_each_pair_within(const Geometry& geometry, double cutoff,
                          const std::function<void(const PairBond&)>& visit);

/// Plain positions: no pair is longer, and none that is longer is known by one image alone.
double farthest_pair(const Geometry& geometry);

/// The first of them that is wanted, by its sites; none is kept beside.
/// @throws InputError as pairs_within
std::optional<PairBond> find_pair_within(const Geometry& geometry, double cutoff,
                                         const std::function<bool(const PairBond&)>& wanted);

/// Plain positions: all pairs at the distance of a shell, equal within input_tolerance.
/// @throws InputError when there is no such shell within half the box
std::vector<PairBond> pairs_by_shell(const Geometry& geometry, int shell,
                                     const SpeciesPair& between);

}  // namespace larmor::lattice
