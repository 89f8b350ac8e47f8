#pragma once
// The input that spin-wave theory needs from a model. It holds the terms in the canonical forms of
// spins/hamiltonian/canonical_forms.hpp, and the sites of a geometry.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"

namespace larmor::spinwaves {

struct Hamiltonian {
  const lattice::Geometry& geometry;
  const std::vector<spins::LoweredTerm>& terms;
  const spins::SiteMoments& moments;  ///< mu_B (1 in reduced units)
  Index replica = 0;                  ///< selects couplings that differ between replicas

  double moment(Index site) const { return moments[static_cast<std::size_t>(site)]; }
  /// The sum over all terms of the field h in - h.e_i, in units of energy.
  Vec3<double> field(Index site) const;
  /// On-site polynomials of all terms, concatenated.
  std::vector<spins::OnsiteCoupling> onsite(Index site) const;
  /// Are bonds listed one by one, so that translational symmetry cannot be assumed?
  bool has_pairs() const;
  bool has_long_range() const;
  /// Do moments, fields and on-site couplings depend only on the basis atom?
  bool known_by_atom() const;
};

}  // namespace larmor::spinwaves
