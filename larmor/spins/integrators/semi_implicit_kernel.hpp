#pragma once
// The semi-implicit method B of Mentink et al., J. Phys.: Condens. Matter 22 (2010) 176001:
// implicit in the spin itself, which is solved for exactly, explicit in its neighbours.
//
//     predictor  y = e + a(e) x (e + y) / 2,     a = damped turn
//     corrector  e' = e + a(m) x (e + e') / 2,   m = (e + y) / 2
//
// |e| is kept to rounding; second order without noise. Three vectors a spin (72 bytes).

#include "larmor/core/for_each.hpp"
#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct SemiImplicitPredictor {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), middle(view.work[0], layout),
        noise_part(view.work[1], layout);
    const Vec3<Real> e = spins.load(at);
    Vec3<Real> w = turn<C>(view, spins, at, e, view.drive.begin);
    const bool noisy = view.root_thermal_energy != nullptr;
    Vec3<Real> noise{Real(0.0), Real(0.0), Real(0.0)};
    if (noisy) noise = noise_turn(view, at);
    w += noise;
    const Vec3<Real> m = Real(0.5) * (e + cayley(damped(view, at, e, w), e));
    middle.store(at, m);
    if (noisy) noise_part.store(at, damped(view, at, m, noise));
  }
};

template <BondClass C>
struct SemiImplicitCorrector {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), middle(view.work[0], layout),
        noise_part(view.work[1], layout);
    const Vec3<Real> m = middle.load(at);
    const Vec3<Real> w = turn<C>(view, middle, at, m, view.drive.middle);
    Vec3<Real> u = damped(view, at, m, w);
    if (view.root_thermal_energy != nullptr) u += noise_part.load(at);
    spins.store(at, renormalised(cayley(u, spins.load(at))));
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
