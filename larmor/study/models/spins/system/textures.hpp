#pragma once
// Textures by name as functions of position. docs/conventions.md has their formulas and signs.

#include <functional>

#include "larmor/lattice/geometry.hpp"
#include "larmor/study/models/spins/tables/initial_table.hpp"

namespace larmor::study {

using Texture = std::function<Vec3<double>(const Vec3<double>& position)>;

/// Textures that differ by a rotation of all spins about one axis.
struct TextureFamily {
  Vec3<double> axis;
  std::function<Texture(double angle)> turned;
};

/// The middle of the lattice, half way between its first and last sites, unless a centre is given.
Vec3<double> centre_of(const InitialTable& initial, const lattice::Geometry& geometry);

/// The normal of a state, which is z unless it is given.
inline Vec3<double> normal_of(const InitialTable& initial) {
  return initial.normal.value_or(Vec3<double>{0, 0, 1});
}

/// Turns `direction` about `normal` by q.r (Rodrigues), where q is the wave vector.
/// @throws InputError if nothing turns
Texture spiral(const InitialTable& initial, const Vec3<double>& direction,
               const lattice::Geometry& geometry);

/// - tanh(x / width) d + m / cosh(x / width), where x is along the normal, d is the unit vector of
/// `direction`, and m is `inside` turned about d. @param initial with a width
TextureFamily domain_walls(const InitialTable& initial, const Vec3<double>& direction,
                           const Vec3<double>& inside, const lattice::Geometry& geometry);

// The textures below have an axis along z and the helicity as angle. `up` is 1 or -1, so that
// direction is up z. From the centre, a position has the distance rho and the azimuth phi.

/// theta = 2 atan(sinh(R / w) / sinh(rho / w)) from the surroundings, where R is the radius and w
/// the width. This is the profile of a circular wall (Wang, Yuan and Wang, Commun. Phys. 1 (2018)
/// 31). The azimuth is winding * phi + helicity.
/// @throws InputError for a skyrmion without radius
TextureFamily skyrmions(const InitialTable& initial, double up, const lattice::Geometry& geometry);

/// Three spirals superposed (Muehlbauer et al., Science 323 (2009) 915), scaled to unit length:
///
///     e ~ sum_n [ R(helicity) M q_n / |q_n| sin(q_n.r) - up z cos(q_n.r) ],  q_1 + q_2 + q_3 = 0,
///
/// R is a rotation about z. M = 1 for winding 1, M = diag(1, -1) for winding -1. Along periodic
/// lattice vectors the q_n are those of waves that fit, nearest to the given period and
/// orientation.
/// @throws InputError for a lattice without period, and for one that does not fit
TextureFamily skyrmion_lattices(const InitialTable& initial, double up,
                                const lattice::Geometry& geometry);

/// Spins that circle a core in the plane: e_z = up / cosh(rho / w) with the width w, azimuth
/// winding * phi + helicity. @throws InputError for a vortex without width
TextureFamily vortices(const InitialTable& initial, double up, const lattice::Geometry& geometry);

/// The rational map of P. Sutcliffe, Proc. R. Soc. A 463 (2007) 3001 and Phys. Rev. Lett. 118
/// (2017) 247203, with the profile of the skyrmion as f:
///
///     (e_x + i e_y) / (1 + up e_z) = exp(i helicity) Z_1^n / Z_0,
///     Z_1 = sin(f) (x + i y) / r,  Z_0 = cos(f) - i sin(f) z / r.
///
/// n is the Hopf index. For a negative index, |n| is the power, and Z_1 is conjugated.
/// @throws InputError for a hopfion without radius or with the index 0
TextureFamily hopfions(const InitialTable& initial, double up, const lattice::Geometry& geometry);

}  // namespace larmor::study
