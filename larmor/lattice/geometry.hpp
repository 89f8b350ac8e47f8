#pragma once
// Where the sites are: a crystal repeated, or plain positions (a crystal of one cell whose basis is
// all of them).

#include "larmor/lattice/crystal.hpp"

namespace larmor::lattice {

/// A site taken apart: basis atom and cell.
struct SiteIndex {
  int basis;
  std::array<Index, 3> cell;
};

struct Geometry {
  Crystal crystal;
  std::array<Index, 3> size{1, 1, 1};  ///< cells along each lattice vector
  std::array<bool, 3> periodic{true, true, true};
  bool plain_positions = false;  ///< no translations: shells and offsets are found pair by pair

  bool is_lattice() const { return !plain_positions; }
  Index sites() const { return cells() * static_cast<Index>(crystal.basis.size()); }
  Index cells() const { return size[0] * size[1] * size[2]; }

  /// Canonical index: basis + n_basis (x + L_x (y + L_y z)).
  Index site(int basis, Index x, Index y, Index z) const {
    return basis + static_cast<Index>(crystal.basis.size()) * (x + size[0] * (y + size[1] * z));
  }
  SiteIndex decode(Index site) const;
  int basis_index(Index site) const {
    return static_cast<int>(site % static_cast<Index>(crystal.basis.size()));
  }
  /// Cartesian position.
  Vec3<double> position(Index site) const;
};

/// A crystal repeated `size` times. One size or boundary may stand for all dimensions.
/// @throws InputError for sizes that are not positive, do not fit the dimensions, or make more than
///         2^31 - 1 sites
Geometry make_lattice(const Crystal& crystal, const std::vector<Index>& size,
                      const std::vector<bool>& periodic);

/// The vector from site i to site j, to the nearest periodic image.
Vec3<double> separation(const Geometry& geometry, Index i, Index j);

}  // namespace larmor::lattice
