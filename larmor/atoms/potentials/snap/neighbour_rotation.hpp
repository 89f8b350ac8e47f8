#pragma once
// The rotation and the weight of a neighbour at r. The distance gives the angle, and the direction
// the axis, of a rotation in SU(2),
//
//   theta = rfac0 pi x,   x = (r - rmin0) / (R - rmin0),
//   g = [[conj a, -conj b], [b, a]],   a = cos theta - i h_z sin theta,   b = (h_y - i h_x) sin
//   theta,
//
// with h = r / |r| and R the cutoff of the pair. The weight is w f(r) with
//
//   f = (1 + cos pi x) / 2 for r > rmin0, 1 below, 0 from R on (switchflag = 0: 1 below R),
//
// If switchinnerflag is set, f has the further factor (1 + sin(pi (r - S) / 2D)) / 2 for S - D < r
// < S + D, and 0 below.
// LAMMPS divides by |sin theta|, so that g also has the sign of sin theta.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::atoms::snap {

/// Parameters of all pairs.
struct RotationRule {
  double rfac0, rmin0;
  bool switches, switches_inside;
};

inline namespace LARMOR_ISA_NAMESPACE {

inline constexpr double pi = 3.14159265358979323846;

/// Parameters of a pair of elements.
template <class Real>
struct PairShape {
  Real cutoff, weight;
  Real inner_middle, inner_half_width;  ///< S and D; only used if `switches_inside`
};

template <class Real>
struct NeighbourRotation {
  Vec3<Real> direction;  ///< h
  Real inverse_distance;
  Real cosine, sine;  ///< cos theta, sin theta, both times the sign of sin theta
  Real rate;          ///< d(theta)/dr
  Real weight;        ///< w f
  Real weight_slope;  ///< w df/dr

  LARMOR_INLINE Real a_re() const { return cosine; }
  LARMOR_INLINE Real a_im() const { return -(direction.z * sine); }
  LARMOR_INLINE Real b_re() const { return direction.y * sine; }
  LARMOR_INLINE Real b_im() const { return -(direction.x * sine); }
};

/// (1 + sin(pi x / 2)) / 2 between -1 and 1, and its slope by x.
template <class Real>
LARMOR_INLINE void inner_switch(const Real& x, Real& value, Real& slope) {
  Real sine, cosine;
  sine_cosine_turns(Real(0.25) * x, sine, cosine);
  const auto below = x <= Real(-1.0), inside = x < Real(1.0);
  value = select(below, Real(0.0), select(inside, Real(0.5) * (Real(1.0) + sine), Real(1.0)));
  slope = select(below, Real(0.0), select(inside, Real(0.25 * pi) * cosine, Real(0.0)));
}

template <class Real>
LARMOR_INLINE NeighbourRotation<Real> neighbour_rotation(const RotationRule& rule,
                                                         const PairShape<Real>& shape,
                                                         const Vec3<Real>& displacement) {
  NeighbourRotation<Real> g;
  const Real r = square_root(dot(displacement, displacement));
  g.inverse_distance = Real(1.0) / r;
  g.direction = g.inverse_distance * displacement;
  const Real inverse_range = Real(1.0) / (shape.cutoff - Real(rule.rmin0));
  const Real x = (r - Real(rule.rmin0)) * inverse_range;
  sine_cosine_turns(Real(0.5 * rule.rfac0) * x, g.sine, g.cosine);
  const auto turned = g.sine < Real(0.0);
  g.sine = select(turned, -g.sine, g.sine);
  g.cosine = select(turned, -g.cosine, g.cosine);
  g.rate = Real(rule.rfac0 * pi) * inverse_range;
  Real f(1.0), slope(0.0);
  if (rule.switches) {
    Real sine, cosine;
    sine_cosine_turns(Real(0.5) * x, sine, cosine);
    const auto inside = Real(0.0) < x;
    f = select(inside, Real(0.5) * (Real(1.0) + cosine), Real(1.0));
    slope = select(inside, Real(-0.5 * pi) * inverse_range * sine, Real(0.0));
  }
  if (rule.switches_inside) {
    const Real inverse_width = Real(1.0) / shape.inner_half_width;
    Real inner, inner_slope;
    inner_switch((r - shape.inner_middle) * inverse_width, inner, inner_slope);
    slope = slope * inner + f * (inner_slope * inverse_width);
    f = f * inner;
  }
  const auto far = shape.cutoff <= r;
  g.weight = shape.weight * select(far, Real(0.0), f);
  g.weight_slope = shape.weight * select(far, Real(0.0), slope);
  return g;
}

/// dE_i/dr_ij of a neighbour, from contractions with the derivative of the energy by U. S is the
/// contraction of u, and D are those of the generators of rotations, so that
///
///   dE = w f' S h.dr + w f D.omega,   omega = h d(theta) + sin cos dh + sin^2 h x dh.
///
/// The matrices u are a representation of SU(2): any change of g is g times an infinitesimal
/// rotation, which is equal for all u_j.
template <class Real>
LARMOR_INLINE Vec3<Real> gradient_of(const NeighbourRotation<Real>& g, const Real& S,
                                     const Vec3<Real>& D) {
  const Real along = dot(g.direction, D);
  const Vec3<Real> across = D - along * g.direction;
  const Real turn = g.weight * g.sine * g.inverse_distance;
  return (g.weight_slope * S + g.weight * g.rate * along) * g.direction +
         (turn * g.cosine) * across + (turn * g.sine) * cross(D, g.direction);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
