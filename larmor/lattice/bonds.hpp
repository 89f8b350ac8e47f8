#pragma once
// Pairs of sites that interact: translates of a stencil on lattices, explicit pairs otherwise.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// A bond from atom `from` of a cell to atom `to` of the cell at `offset`, and all its translates.
struct StencilBond {
  int from, to;
  std::array<int, 3> offset;
  Vec3<double> r;  ///< from `from` to `to`
};

/// One pair of sites: i < j, unless the user gave another order.
struct PairBond {
  Index i, j;
  Vec3<double> r;  ///< from i to j
};

/// The two species that a bond must join, in any order.
using SpeciesPair = std::optional<std::array<std::string, 2>>;

/// All bonds of a neighbour shell, each once. Shells are the distinct distances between any two
/// atoms of the infinite crystal, counted from 1. Distances within input_tolerance are one shell.
/// If `between` is given, only distances between the two species count. A species of an alloy
/// counts at all basis atoms that it may replace, whichever atoms it has replaced.
/// @throws InputError if the shell does not exist for these species, or reaches around the whole
///         lattice to the site itself
std::vector<StencilBond> stencil_by_shell(const Geometry& geometry, int shell,
                                          const SpeciesPair& between);

/// All bonds up to a length, each once.
/// @throws InputError if a bond reaches around the whole lattice to the site itself
std::vector<StencilBond> stencil_within(const Geometry& geometry, double cutoff);

/// All bonds up to a length between sites of the lattice, each once. Bonds that reach around the
/// lattice to the site itself are left out.
std::vector<StencilBond> stencil_between_sites(const Geometry& geometry, double cutoff);

/// The bond from atom `from` of a cell to atom `to` of the cell at `offset`.
/// @throws InputError if the bond connects an atom with itself
StencilBond stencil_by_offset(const Geometry& geometry, int from, int to,
                              const std::array<int, 3>& offset);

/// Can sites of the basis atoms `a` and `b` have the species `between`?
bool may_join(const Geometry& geometry, Index a, Index b, const SpeciesPair& between);

/// Do the sites i and j have spins with the species `between`?
bool joins(const Geometry& geometry, Index i, Index j, const SpeciesPair& between);

/// Is the lattice long enough along its open directions for at least one translate of the bond?
bool fits(const Geometry& geometry, const StencilBond& bond);

/// Do two bonds have the same translates, in either direction?
bool same_bond(const StencilBond& a, const StencilBond& b);

/// The site at the other end of a bond from `site`, or -1 beyond an open boundary.
Index neighbour(const Geometry& geometry, Index site, const StencilBond& bond);

/// Plain positions: all pairs within `cutoff`, each once, of sites that may have the species
/// `between`. Uses cell lists.
/// @throws InputError if the cutoff exceeds half a periodic length
std::vector<PairBond> pairs_within(const Geometry& geometry, double cutoff,
                                   const SpeciesPair& between);

/// Calls `visit` for each pair within `cutoff`, in any order. Pairs are not stored.
/// @throws InputError as pairs_within
void for_each_pair_within(const Geometry& geometry, double cutoff,
                          const std::function<void(const PairBond&)>& visit);

/// Plain positions: an upper bound of the lengths of those pairs that have only one nearest image.
double farthest_pair(const Geometry& geometry);

/// The first pair for which `wanted` is true, in the order of its sites (i, then j). Pairs are not
/// stored.
/// @throws InputError as pairs_within
std::optional<PairBond> find_pair_within(const Geometry& geometry, double cutoff,
                                         const std::function<bool(const PairBond&)>& wanted);

/// Plain positions: all pairs at the distance of a shell, equal within input_tolerance.
/// @throws InputError if no such shell exists within half the box
std::vector<PairBond> pairs_by_shell(const Geometry& geometry, int shell,
                                     const SpeciesPair& between);

}  // namespace larmor::lattice
