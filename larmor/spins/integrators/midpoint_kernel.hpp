#pragma once
// The implicit midpoint rule (d'Aquino et al., J. Comput. Phys. 209 (2005) 730),
//
//     e' - e = a(m) x (e + e') / 2,     m = (e + e') / 2 of all spins,
//
// solved by fixed-point iteration. It keeps |e|, and without damping and noise every energy that is
// quadratic in the spins, to the tolerance of the iteration. Second order.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Starts the iteration at m = e, and draws the noise.
struct MidpointStart {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const LlgFields fields(view);
    fields.first.store(at, fields.spins.load(at));
    if (view.root_thermal_energy != nullptr) fields.third.store(at, noise_turn(view, at));
  }
};

/// One iteration from work[0] to work[1].
template <BondClass C>
struct MidpointIteration {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.work[0]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> e = fields.spins.load(at);
    const Vec3<Real> m = fields.first.load(at);
    Vec3<Real> w = turn<C>(view, fields.first, at, m, view.drive.middle);
    if (view.root_thermal_energy != nullptr) w += fields.third.load(at);
    fields.second.store(at, Real(0.5) * (e + cayley(damped(view, at, m, w), e)));
  }
};

/// The square of the change of e' by an iteration. It stands alone: partial sums are not made where
/// sites are updated when several processes share them.
struct MidpointChange {
  LlgView view;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> change = Real(2.0) * (fields.second.load(at) - fields.first.load(at));
    return {{dot(change, change)}};
  }
};

/// e' = 2 m - e
struct MidpointEnd {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> m = fields.first.load(at);
    fields.spins.store(at, renormalised(Real(2.0) * m - fields.spins.load(at)));
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
