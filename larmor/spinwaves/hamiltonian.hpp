#pragma once
// What spin-wave theory reads of a model: its terms in the canonical forms of
// spins/hamiltonian/canonical_forms.hpp, on the sites of a geometry.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"

namespace larmor::spinwaves {

struct Hamiltonian {
  const lattice::Geometry& geometry;
  const std::vector<spins::LoweredTerm>& terms;
  const spins::SiteMoments& moments;  ///< mu_B (1 in reduced units)
  Index replica = 0;                  ///< whose couplings, where they differ

  double moment(Index site) const { return moments[static_cast<std::size_t>(site)]; }
  /// h of - h.e_i, all terms together, in units of energy.
  Vec3<double> field(Index site) const;
  /// On-site polynomials of all terms, one after the other.
  std::vector<spins::OnsiteCoupling> onsite(Index site) const;
  /// Are there bonds that are listed one by one, so that no translation can be relied on?
  bool has_pairs() const;
  bool has_long_range() const;
  /// Do moments, fields and on-site couplings depend on the atom of the basis alone?
  bool known_by_atom() const;
};

}  // namespace larmor::spinwaves
