#pragma once
// The nearest neighbours of each site, whatever couples them: what derivatives of a texture read.

#include <vector>

#include "larmor/lattice/bonds.hpp"

namespace larmor::lattice {

/// A site as another sees it.
struct NearSite {
  Index site;
  Vec3<double> r;  ///< to it
};

class NearestNeighbours {
 public:
  /// @param geometry must outlive this
  /// @throws InputError as stencil_by_shell and pairs_by_shell
  explicit NearestNeighbours(const Geometry& geometry);

  /// Those that have spins; none of a vacancy.
  std::vector<NearSite> of(Index site) const;
  /// Of a site at most.
  Index most() const;
  /// Cells between a site and them along a lattice vector, at most.
  Index reach(std::size_t d) const;

 private:
  const Geometry& geometry_;
  std::vector<std::vector<StencilBond>> of_atom_;  ///< of a lattice, from each atom of the basis
  std::vector<std::vector<NearSite>> of_site_;     ///< of plain positions
};

}  // namespace larmor::lattice
