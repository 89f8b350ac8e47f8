#pragma once
// The neighbours of each site that derivatives of a texture read, whatever couples them.

#include <vector>

#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/span.hpp"

namespace larmor::lattice {

/// A site as another sees it.
struct NearSite {
  Index site;
  Vec3<double> r;  ///< to it
};

/// Neighbours of a site at one distance.
using NearShell = std::vector<NearSite>;

/// Each site has its nearest neighbours, and farther ones only in directions that no nearer ones
/// span, until every direction in which the sample extends is spanned. Where vacancies or the ends
/// of the sample leave gaps, they are looked for up to three times the distance that spans all
/// directions inside the crystal; among plain positions, up to ten times the shortest distance, or
/// half across the periodic box.
class NearestNeighbours {
 public:
  /// @param geometry must outlive this
  /// @throws InputError as pairs_by_shell
  explicit NearestNeighbours(const Geometry& geometry);

  /// By distance, nearest first, those that have spins; none of a vacancy. Of further shells only
  /// neighbours outside the span of the nearer ones, and no shell without any.
  std::vector<NearShell> shells_of(Index site) const;
  /// All shells together.
  std::vector<NearSite> of(Index site) const;
  /// Sites that stand for all: those of one cell where all cells are alike.
  Index distinct_sites() const;
  /// Of a site at most.
  Index most() const;
  /// Cells between a site and them along a lattice vector, at most.
  Index reach(std::size_t d) const;

 private:
  using BondShells = std::vector<std::vector<StencilBond>>;

  bool cells_are_alike() const { return geometry_.is_perfect() && geometry_.is_periodic(); }
  void find_in_lattice();
  void find_among_positions();
  /// Of every atom of the basis, up to a length.
  std::vector<BondShells> bonds_within(double cutoff) const;
  void extend(std::vector<NearShell>& shells, NearShell near, double cutoff) const;
  std::vector<NearShell> present(Index site, const BondShells& bonds) const;

  const Geometry& geometry_;
  Span whole_;                                   ///< of the sample
  std::vector<BondShells> of_atom_;              ///< of a lattice, from each atom of the basis
  std::vector<BondShells> complete_;             ///< of them, what a site reads where all are there
  std::vector<std::vector<NearShell>> of_site_;  ///< of plain positions
};

}  // namespace larmor::lattice
