#pragma once
// The Landau-Lifshitz-Gilbert equation of a spin e (a unit vector along its moment mu),
//
//     de/dt = - gamma / (1 + alpha^2) [ e x B + alpha e x (e x B) ],   B = -(1/mu) dH/de + b(t),
//
// where b(t) is white noise in the sense of Stratonovich, equal in both terms:
//
//     <b_x(t) b_x(t')> = 2 alpha k_B T / (gamma mu) delta(t - t')   (fluctuation-dissipation).
//
// Over a step dt, with w = gamma dt B / (1 + alpha^2), a spin turns about u = w + alpha e x w in
// the right-handed sense:  de = u x e.  Here w is the "turn", u the "damped turn".

#include "larmor/core/maths/normal.hpp"
#include "larmor/spins/integrators/llg_view.hpp"

namespace larmor::spins {

/// A kernel of a step, with its name in JIT kernels.
struct StageInfo {
  const char* functor;  ///< type of the kernel; it may use the constant `bond_class`
  bool draws_noise = false;
};

/// Properties of a scheme, for studies, `explain`, `verify`, benches and the JIT.
struct SchemeInfo {
  const char* name;      ///< value of the key `integrator`
  const char* doc;       ///< for `explain`
  const char* profile;   ///< name in profiles
  const char* header;    ///< header of the kernels; null without JIT kernels
  int work_fields = 2;   ///< vectors per spin, in addition to the spins
  int noise_fields = 0;  ///< further vectors per spin with a heat bath
  bool has_heat_bath = true;
  int moved_vectors = 7;  ///< vectors read and written per spin and step; neighbours are cached
  /// A spin may turn by this angle x in a step if the error may be a thousandth. The error is
  /// x^2 / 12 for second order, x^4 / 120 for fourth.
  double accurate_turn = 0.1;
  double precession_error = 1e-3;  ///< largest error after 15 rad in steps of 0.015 rad
  double bath_timestep = 0.01;     ///< averages are correct to 0.1% at J = 1 in reduced units
};

inline namespace LARMOR_ISA_NAMESPACE {

/// The kernels of a step, in order. Each kernel reads the complete output of the previous kernel.
template <class... Kernel>
struct Stages {};

/// The vector fields of an integration.
struct LlgFields {
  VectorView spins, first, second, third;  ///< the spins and work[0], work[1], work[2]

  LARMOR_INLINE explicit LlgFields(const LlgView& view)
      : spins(view.spins, view.model.layout),
        first(view.work[0], view.model.layout),
        second(view.work[1], view.model.layout),
        third(view.work[2], view.model.layout) {}
};

/// Does a slot carry the deviates of its noise (spins/jit/summed_slot.hpp)?
template <class At>
concept has_deviates = requires(const At& at) {
  at.deviates;
};

/// The torques of currents, if any, as a field mu_B b.
template <class At>
LARMOR_COLD Vec3<typename At::Real> torque_field(const TorqueView& torque, VectorView input, At at,
                                                 Vec3<typename At::Real> e, const Drive& drive) {
  using Real = typename At::Real;
  Vec3<Real> b{Real(0.0), Real(0.0), Real(0.0)};
  if (torque.drift.bonds.value.present()) {
    const Vec3<Real> G =
        Real(-drive.drift) * bilinear_field<BondClass::scalar>(torque.drift, input, at);
    b += Real(torque.nonadiabaticity) * G + cross(e, G);
  }
  if (torque.polarised) {
    const Vec3<Real> p{Real(torque.polarisation.x), Real(torque.polarisation.y),
                       Real(torque.polarisation.z)};
    const Real a = Real(drive.polarised * torque.damping_like) /
                   (Real(1.0) + Real(torque.asymmetry) * dot(e, p));
    b += a * cross(e, p) + Real(drive.polarised * torque.field_like) * p;
  }
  return b;
}

/// The turn w of the field at `e`, without noise. Neighbours are read from `input`.
template <BondClass C, class At>
LARMOR_INLINE Vec3<typename At::Real> turn(const LlgView& view, const VectorView& input,
                                           const At& at, const Vec3<typename At::Real>& e,
                                           const Drive& drive) {
  using Real = typename At::Real;
  const RowValues<At> site(view.site, at);
  const Environment<Real> w = environment_of<C>(view.model, input, at);
  const Vec3<Real> inner = site[llg_field_turn] * effective_field(view.model, w, at, e);
  if (!view.driven) return inner;
  Vec3<Real> outer{Real(drive.field.x), Real(drive.field.y), Real(drive.field.z)};
  outer += torque_field(view.torque, input, at, e, drive);
  return inner + site[llg_drive_turn] * outer;
}

/// w + alpha e x w
template <class At>
LARMOR_INLINE Vec3<typename At::Real> damped(const LlgView& view, const At& at,
                                             const Vec3<typename At::Real>& e,
                                             const Vec3<typename At::Real>& w) {
  return w + RowValues<At>(view.site, at)[llg_damping] * cross(e, w);
}

/// Draws the standard normal deviates of the noise of a step. In mixed precision they are floats.
template <class At>
LARMOR_INLINE Vec3<typename At::Real> draw_deviates(const LlgView& view, const At& at) {
  return converted<typename At::Real>(normal_vector<typename At::Bond>(
      philox(view.key, canonical_sites(at, view.model.canonical), replica_indices(at))));
}

/// The deviates of the noise. If the slot carries them, they are not drawn again.
template <class At>
LARMOR_INLINE Vec3<typename At::Real> noise_deviates(const LlgView& view, const At& at) {
  if constexpr (has_deviates<At>) {
    return at.deviates;
  } else {
    return draw_deviates(view, at);
  }
}

/// The part of the turn w of a step that is due to noise. Repeated calls return equal values.
template <class At>
LARMOR_INLINE Vec3<typename At::Real> noise_turn(const LlgView& view, const At& at) {
  using Real = typename At::Real;
  const Real scale = RowValues<At>(view.site, at)[llg_noise_turn] *
                     (Real(view.drive.noise) * ReplicaView{view.root_thermal_energy}.load(at));
  return scale * noise_deviates(view, at);
}

/// The turn at the beginning of a step with noise, and its part that is due to noise. Without a
/// heat bath this part is zero.
template <class Real>
struct NoisyTurn {
  Vec3<Real> turn, noise;
};

template <BondClass C, class At>
LARMOR_INLINE NoisyTurn<typename At::Real> first_turn(const LlgView& view, const VectorView& spins,
                                                      const At& at,
                                                      const Vec3<typename At::Real>& e) {
  using Real = typename At::Real;
  const Vec3<Real> w = turn<C>(view, spins, at, e, view.drive.begin);
  if (view.root_thermal_energy == nullptr) return {w, {Real(0.0), Real(0.0), Real(0.0)}};
  const Vec3<Real> noise = noise_turn(view, at);
  return {w + noise, noise};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
