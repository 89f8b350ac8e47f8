#pragma once
// Each spin has two perpendicular axes, and a tangent vector has two numbers along these axes. If
// spins turn along geodesics, their axes are transported in parallel. So a transported tangent
// vector keeps its two numbers.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {

/// Size of a tangent vector for every site and replica: (block, site, 2, 8), or (2, site) for one
/// replica.
LARMOR_HD inline Index tangent_numbers(const SpinLayout& layout) {
  return 2 * layout.padded_sites() * layout.padded_replicas();
}

inline namespace LARMOR_ISA_NAMESPACE {

/// Components along the two axes of a spin.
template <class Real>
struct Tangent {
  Real u, v;

  LARMOR_INLINE friend Tangent operator+(const Tangent& a, const Tangent& b) {
    return {a.u + b.u, a.v + b.v};
  }
  LARMOR_INLINE friend Tangent operator-(const Tangent& a, const Tangent& b) {
    return {a.u - b.u, a.v - b.v};
  }
  LARMOR_INLINE friend Tangent operator*(const Real& s, const Tangent& a) {
    return {s * a.u, s * a.v};
  }
};

template <class Real>
LARMOR_INLINE Real dot(const Tangent<Real>& a, const Tangent<Real>& b) {
  return a.u * b.u + a.v * b.v;
}

template <class Mask, class Real>
LARMOR_INLINE Tangent<Real> chosen(const Mask& m, const Tangent<Real>& yes,
                                   const Tangent<Real>& no) {
  return {select(m, yes.u, no.u), select(m, yes.v, no.v)};
}

template <class Mask, class Real>
LARMOR_INLINE Vec3<Real> chosen(const Mask& m, const Vec3<Real>& yes, const Vec3<Real>& no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}

/// A tangent vector for every site and replica.
struct TangentView {
  Reals data;
  Index padded_sites;
  bool one_replica;

  LARMOR_HD TangentView(const Reals& numbers, const SpinLayout& layout)
      : data(numbers), padded_sites(layout.padded_sites()), one_replica(layout.one_replica()) {}

  template <class Numbers>
  LARMOR_INLINE auto load(const ReplicaPackSlot<Numbers>& at) const {
    using Number = PackOf<typename Numbers::Real>;
    const auto* p = place(at);
    return Tangent<Number>{Number::load(p), Number::load(p + lane_count)};
  }
  template <class Numbers>
  LARMOR_INLINE auto load(const SitePackSlot<Numbers>& at) const {
    using Number = PackOf<typename Numbers::Real>;
    const auto* p = place(at);
    return Tangent<Number>{Number::load(p), Number::load(p + padded_sites)};
  }
  template <class Numbers>
  LARMOR_INLINE auto load(const ScalarSlot<Numbers>& at) const {
    const auto* p = place(at);
    return Tangent<typename Numbers::Real>{p[0], p[stride()]};
  }

  template <class Numbers>
  LARMOR_INLINE void store(const ReplicaPackSlot<Numbers>& at,
                           const Tangent<PackOf<typename Numbers::Real>>& t) const {
    auto* p = place(at);
    t.u.store(p);
    t.v.store(p + lane_count);
  }
  template <class Numbers>
  LARMOR_INLINE void store(const SitePackSlot<Numbers>& at,
                           const Tangent<PackOf<typename Numbers::Real>>& t) const {
    auto* p = place(at);
    if (at.active == 0xffu) {
      t.u.store(p);
      t.v.store(p + padded_sites);
      return;
    }
    for (int l = 0; l < lane_count; ++l) {
      if ((at.active >> l) & 1u) {
        p[l] = t.u.lane(l);
        p[l + padded_sites] = t.v.lane(l);
      }
    }
  }
  template <class Numbers>
  LARMOR_INLINE void store(const ScalarSlot<Numbers>& at,
                           const Tangent<typename Numbers::Real>& t) const {
    auto* p = place(at);
    p[0] = t.u;
    p[stride()] = t.v;
  }

 private:
  LARMOR_INLINE Index stride() const { return one_replica ? padded_sites : lane_count; }
  template <class Numbers>
  LARMOR_INLINE typename Numbers::Real* place(const ReplicaPackSlot<Numbers>& at) const {
    return data.as<typename Numbers::Real>() + (at.block * padded_sites + at.site) * 2 * lane_count;
  }
  template <class Numbers>
  LARMOR_INLINE typename Numbers::Real* place(const SitePackSlot<Numbers>& at) const {
    return data.as<typename Numbers::Real>() + at.first_site;
  }
  template <class Numbers>
  LARMOR_INLINE typename Numbers::Real* place(const ScalarSlot<Numbers>& at) const {
    using Real = typename Numbers::Real;
    if (one_replica) return data.as<Real>() + at.site;
    return data.as<Real>() + ((at.replica / lane_count) * padded_sites + at.site) * 2 * lane_count +
           at.replica % lane_count;
  }
};

/// A spin e and its axes u and v = e x u.
template <class Real>
struct SpinFrame {
  Vec3<Real> e, u, v;

  LARMOR_INLINE SpinFrame(const Vec3<Real>& spin, const Vec3<Real>& axis)
      : e(spin), u(axis), v(cross(spin, axis)) {}
  /// The components of a vector perpendicular to the spin.
  LARMOR_INLINE Tangent<Real> across(const Vec3<Real>& x) const { return {dot(x, u), dot(x, v)}; }
  LARMOR_INLINE Vec3<Real> vector(const Tangent<Real>& t) const { return t.u * u + t.v * v; }
};

/// An arbitrary unit vector perpendicular to `e`.
template <class Real>
LARMOR_INLINE Vec3<Real> any_axis(const Vec3<Real>& e) {
  const Real zero(0.0), one(1.0);
  const auto along_z = Real(0.8) < absolute(e.z);
  const Vec3<Real> wish{select(along_z, one, zero), zero, select(along_z, zero, one)};
  return normalised(wish - dot(wish, e) * e);
}

/// The spin after a turn by the angle |t| towards t. A spin that does not turn keeps its bits.
template <class Real>
LARMOR_INLINE Vec3<Real> turned_spin(const SpinFrame<Real>& frame, const Tangent<Real>& t) {
  const Real a2 = dot(t, t);
  Real s, c;
  rotation_factors(a2, s, c);
  const Vec3<Real> e = normalised((Real(1.0) - a2 * c) * frame.e + s * frame.vector(t));
  return chosen(Real(0.0) < a2, e, frame.e);
}

/// The frame after a turn by the angle |t| towards t, with transported axes.
/// @param e turned_spin(frame, t)
template <class Real>
LARMOR_INLINE SpinFrame<Real> turned_frame(const SpinFrame<Real>& frame, const Tangent<Real>& t,
                                           const Vec3<Real>& e) {
  Real s, c;
  rotation_factors(dot(t, t), s, c);
  const Vec3<Real> u = frame.u - t.u * (s * frame.e + c * frame.vector(t));
  return {e, normalised(u - dot(u, e) * e)};
}

/// The tangent vector that turns the spin of a frame to another spin along the shortest way. Its
/// length is the angle. If the spins are opposite, the axis is arbitrary.
template <class Real>
LARMOR_INLINE Tangent<Real> leading_to(const SpinFrame<Real>& frame, const Vec3<Real>& other) {
  const Tangent<Real> across = frame.across(other);
  const Real sine = square_root(dot(across, across)), cosine = dot(frame.e, other);
  const Real zero(0.0), one(1.0);
  const auto aligned = sine <= zero;
  const Real angle = angle_of(select(aligned, zero, sine), select(aligned, one, cosine));
  const Real factor = angle / select(aligned, one, sine);
  const Real opposite = select(cosine < zero, Real(3.141592653589793), zero);
  return {select(aligned, opposite, factor * across.u), factor * across.v};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
