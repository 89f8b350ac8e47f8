#pragma once
// Classical fourth-order Runge-Kutta for the Landau-Lifshitz equation
//
//     de/dt = -gamma e x B,   B = -(1/mu) dH/de,
//
// in four vectors a spin (96 bytes): the spin y, the sum of the slopes, and two stage values, since
// a neighbour's stage value is still read while the next one is written. |e| = 1 is restored at the
// end of a step; the correction is of fifth order in the step.

#include "larmor/core/for_each.hpp"
#include "larmor/core/math.hpp"
#include "larmor/spins/integrators/rk4_view.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Slope number Stage (1 to 4); 1 reads y, 2 and 4 read stage a, 3 reads stage b.
template <BondClass C, int Stage>
struct Rk4Stage {
  Rk4View view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout);
    const VectorView sum(view.sum, layout);
    const VectorView a(view.stage_a, layout);
    const VectorView b(view.stage_b, layout);
    const VectorView& input = Stage == 1 ? spins : Stage == 3 ? b : a;

    const Vec3<Real> e = input.load(at);
    const Environment<Real> w = environment_of<C>(view.model, input, at);
    const Vec3<Real> h = effective_field(view.model, w, at, e);
    const Real rate = RowValues<At>(view.precession, at)[0] * Real(view.timestep);
    const Vec3<Real> slope = rate * cross(h, e);

    if constexpr (Stage == 1) {
      sum.store(at, e + Real(1.0 / 6.0) * slope);
      a.store(at, e + Real(0.5) * slope);
    } else if constexpr (Stage == 2) {
      sum.store(at, sum.load(at) + Real(1.0 / 3.0) * slope);
      b.store(at, spins.load(at) + Real(0.5) * slope);
    } else if constexpr (Stage == 3) {
      sum.store(at, sum.load(at) + Real(1.0 / 3.0) * slope);
      a.store(at, spins.load(at) + slope);
    } else {
      const Vec3<Real> y = sum.load(at) + Real(1.0 / 6.0) * slope;
      spins.store(at, (Real(1.0) / square_root(dot(y, y))) * y);
    }
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
