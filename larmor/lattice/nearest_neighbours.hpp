#pragma once
// The neighbours of each site for derivatives of a texture, independent of couplings.

#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::lattice {

/// The directions that a set of vectors spans.
class Span {
 public:
  /// An angle in radians. Positions are rounded, so a direction within this angle of the span
  /// counts as in the span.
  static constexpr double tolerance = 1e-4;

  int dimensions() const { return static_cast<int>(axes_.size()); }

  /// The component of v orthogonal to the span; v itself if the span is empty.
  Vec3<double> outside(Vec3<double> v) const {
    // The second pass removes the rounding error of the first.
    for (int pass = 0; pass < 2; ++pass)
      for (const Vec3<double>& axis : axes_) v = v - dot(axis, v) * axis;
    return v;
  }

  bool holds(const Vec3<double>& v) const { return length(outside(v)) <= tolerance * length(v); }

  void add(const Vec3<double>& v) {
    if (holds(v)) return;
    const Vec3<double> rest = outside(v);
    axes_.push_back((1 / length(rest)) * rest);
  }

 private:
  std::vector<Vec3<double>> axes_;  ///< orthonormal
};

/// A neighbour of a site.
struct NearSite {
  Index site;
  Vec3<double> r;  ///< from the site to the neighbour
};

/// Neighbours of a site at one distance.
using NearShell = std::vector<NearSite>;

/// Nearest neighbours of each site, and farther ones only in directions that nearer ones do not
/// span. The search ends when the neighbours span all directions of the sample. Vacancies or open
/// boundaries may leave directions without neighbours. On a lattice the search then extends to
/// three times the distance that spans all directions inside the crystal. For plain positions it
/// extends to ten times the shortest distance, or half across the periodic box.
class NearestNeighbours {
 public:
  /// @param geometry must outlive this object
  /// @throws InputError as pairs_by_shell
  explicit NearestNeighbours(const Geometry& geometry);

  /// Neighbours with spins, in shells, nearest first; none for a vacancy. Further shells hold only
  /// neighbours outside the span of the nearer ones. Empty shells are left out.
  std::vector<NearShell> shells_of(Index site) const;
  /// The neighbours of all shells.
  std::vector<NearSite> neighbours_of(Index site) const;
  /// Number of sites with different neighbours: those of one cell if all cells are alike.
  Index distinct_sites() const;
  /// Largest number of neighbours of a site.
  Index most_neighbours() const;
  /// Largest distance, in cells along a lattice vector, between a site and its neighbours.
  Index reach(std::size_t d) const;

 private:
  using BondShells = std::vector<std::vector<StencilBond>>;

  bool cells_are_alike() const { return geometry_.is_perfect() && geometry_.is_periodic(); }
  void find_in_lattice();
  void find_among_positions();
  /// Bonds of each basis atom up to a length.
  std::vector<BondShells> bonds_within(double cutoff) const;
  void extend(std::vector<NearShell>& shells, NearShell near, double cutoff) const;
  std::vector<NearShell> present(Index site, const BondShells& bonds) const;

  const Geometry& geometry_;
  Span whole_;                        ///< directions of the sample
  std::vector<BondShells> of_atom_;   ///< lattice: candidates of each basis atom
  std::vector<BondShells> complete_;  ///< lattice: neighbours of each basis atom if none is absent
  std::vector<std::vector<NearShell>> of_site_;  ///< plain positions: neighbours of each site
};

}  // namespace larmor::lattice
