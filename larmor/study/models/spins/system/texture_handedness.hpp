#pragma once
// Which of the textures that differ by a turn of all spins the Dzyaloshinskii-Moriya interaction
// wants. With v = e_i x e_j of a texture, turned about the unit vector a by gamma, a bond's
// - D.(e_i x e_j) is
//
//     - D.v_par - P cos(gamma) - Q sin(gamma),   P = D.(v - v_par), Q = D.(a x v), v_par = a (a.v),
//
// so that of all bonds the energy is lowest at gamma = atan2(sum Q, sum P).

#include <optional>
#include <vector>

#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/study/models/spins/system/textures.hpp"

namespace larmor::study {

/// Sums over all bonds of a texture that has not been turned.
struct TurnEnergy {
  double P = 0, Q = 0;
  double largest = 0;  ///< what P and Q could be at most, sum |D| |v|

  /// Does the energy depend on the angle? Not where the bonds cancel, up to what the lattice makes
  /// of a continuous texture.
  bool depends_on_angle() const;
  /// Of the lowest energy; 0 if it does not depend on it.
  double best_angle() const;
  /// 0 or pi, whichever has the lower energy; 0 if it does not depend on it.
  double best_of_two() const;
};

/// Bonds of a texture are those of an endless one: what it is at r_i and at r_i + r, wherever a
/// periodic lattice closes. BITS: sums of fixed pieces, in order, for any number of threads.
/// @param terms whose bonds count, by the antisymmetric part of their matrices
TurnEnergy energy_of_turns(const Texture& texture, const Vec3<double>& axis,
                           const std::vector<spins::LoweredTerm>& terms,
                           const lattice::Geometry& geometry, int threads);

}  // namespace larmor::study
