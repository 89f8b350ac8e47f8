#pragma once
// Positions of the sites of a repeated crystal, or plain positions. Plain positions are a crystal
// of one cell with all sites in its basis. In an alloy, other species or vacancies replace some
// atoms.

#include <cstdint>
#include <vector>

#include "larmor/lattice/crystal.hpp"

namespace larmor::lattice {

/// A species or vacancy of an alloy that replaces atoms of the crystal.
struct Substitute {
  std::string species;
  double moment = 0;        ///< mu_B; 0: a vacancy
  std::vector<bool> atoms;  ///< for each basis atom: may it be replaced?
};

/// Basis atom and cell of a site.
struct SiteIndex {
  int basis;
  std::array<Index, 3> cell;
};

struct Geometry {
  Crystal crystal;
  std::array<Index, 3> size{1, 1, 1};  ///< cells along each lattice vector
  std::array<bool, 3> periodic{true, true, true};
  bool plain_positions = false;  ///< no translations: shells and offsets are found pair by pair
  std::vector<Substitute> substitutes;
  /// For each site: 0 for the basis atom, n for substitutes[n - 1]. Empty for a perfect lattice.
  std::vector<std::uint8_t> substitution;

  bool is_lattice() const { return !plain_positions; }
  /// Is it a lattice whose cells all hold the same atoms?
  bool is_perfect() const { return is_lattice() && substitution.empty(); }
  /// Is it periodic along every lattice vector?
  bool is_periodic() const;
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

  /// The number of the substitute on a site, counted from 1; 0 for the basis atom.
  int substitute_number(Index site) const {
    return substitution.empty() ? 0 : substitution[static_cast<std::size_t>(site)];
  }
  /// The substitute on a site; null for the basis atom.
  const Substitute* substitute(Index site) const {
    const int n = substitute_number(site);
    return n == 0 ? nullptr : &substitutes[static_cast<std::size_t>(n - 1)];
  }
  const std::string& species(Index site) const {
    const Substitute* other = substitute(site);
    return other ? other->species : atom(site).species;
  }
  /// The moment of a site in mu_B; 0 for a vacancy.
  double moment(Index site) const {
    const Substitute* other = substitute(site);
    return other ? other->moment : atom(site).moment;
  }
  bool occupied(Index site) const {
    const Substitute* other = substitute(site);
    return !other || other->moment > 0;
  }
  /// Number of sites that are not vacancies.
  Index spins() const;
  /// Can a site of this basis atom have the species, if the alloy replaces this site?
  bool may_hold(Index basis, const std::string& name) const;
  /// Does the crystal or a substitute have this species name?
  bool has_species(const std::string& name) const;

 private:
  const BasisAtom& atom(Index site) const {
    return crystal.basis[static_cast<std::size_t>(basis_index(site))];
  }
};

/// A crystal repeated `size` times. One size or boundary may be given for all dimensions.
/// @throws InputError if a size is not positive, the sizes do not fit the dimensions, or there are
///         more than 2^31 - 1 sites
Geometry make_lattice(const Crystal& crystal, const std::vector<Index>& size,
                      const std::vector<bool>& periodic);

/// The vector from site i to site j, to the nearest periodic image.
Vec3<double> separation(const Geometry& geometry, Index i, Index j);

/// The vectors along which the sample repeats, at most three; empty for open boundaries.
std::vector<Vec3<double>> periods_of(const Geometry& geometry);

/// The shortest periodic image of a vector.
Vec3<double> nearest_image(const Geometry& geometry, const Vec3<double>& vector);

}  // namespace larmor::lattice
