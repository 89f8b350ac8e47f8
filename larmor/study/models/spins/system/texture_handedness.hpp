#pragma once
// Finds the rotation of all spins of a texture with the lowest Dzyaloshinskii-Moriya energy. A bond
// has the energy - D.v, where v = e_i x e_j is that of the texture. If all spins are turned about
// the unit vector a by gamma, the bond has the energy
//
//     - D.v_par - P cos(gamma) - Q sin(gamma),   P = D.(v - v_par), Q = D.(a x v), v_par = a (a.v),
//
// so that the energy of all bonds is lowest at gamma = atan2(sum Q, sum P).

#include <optional>
#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/study/models/spins/system/textures.hpp"

namespace larmor::study {

/// Sums over all bonds of a texture without rotation.
struct TurnEnergy {
  double P = 0, Q = 0;
  double largest = 0;  ///< upper bound of P and Q, sum |D| |v|

  /// Does the energy depend on the angle? It does not if bonds cancel, up to errors of the lattice
  /// for a continuous texture.
  bool depends_on_angle() const;
  /// The angle of the lowest energy; 0 if the energy does not depend on it.
  double best_angle() const;
  /// 0 or pi, by the lower energy; 0 if the energy does not depend on it.
  double best_of_two() const;
};

/// Bonds of a texture are those of an endless one: between its spins at r_i and at r_i + r, without
/// periodic boundaries. BITS: sums of fixed blocks, in order, for any number of threads.
/// @param terms their bonds count, by the antisymmetric part of their matrices
TurnEnergy energy_of_turns(const Texture& texture, const Vec3<double>& axis,
                           const std::vector<spins::LoweredTerm>& terms,
                           const lattice::Geometry& geometry, int threads);

}  // namespace larmor::study
