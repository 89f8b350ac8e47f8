#pragma once
// Heun's predictor and corrector (Garcia-Palacios and Lazaro, Phys. Rev. B 58 (1998) 14937): the
// mean of the slopes at the beginning and at the predicted end, with the same noise in both; |e| =
// 1 is restored after each. Second order without noise.
//
// As in Depondt's method the noise of the corrector is known to the predictor: three vectors a
// spin.

#include "larmor/core/for_each.hpp"
#include "larmor/core/normalise.hpp"
#include "larmor/spins/integrators/llg.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct HeunPredictor {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), predicted(view.work[0], layout),
        carried(view.work[1], layout);
    const Vec3<Real> e = spins.load(at);
    Vec3<Real> w = turn<C>(view, spins, at, e, view.drive.begin);
    const bool noisy = view.root_thermal_energy != nullptr;
    Vec3<Real> noise{Real(0.0), Real(0.0), Real(0.0)};
    if (noisy) noise = noise_turn(view, at);
    w += noise;
    Vec3<Real> slope = cross(damped(view, at, e, w), e);
    const Vec3<Real> there = normalised(e + slope);
    predicted.store(at, there);
    if (noisy) slope += cross(damped(view, at, there, noise), there);
    carried.store(at, slope);
  }
};

template <BondClass C>
struct HeunCorrector {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), predicted(view.work[0], layout),
        carried(view.work[1], layout);
    const Vec3<Real> there = predicted.load(at);
    const Vec3<Real> w = turn<C>(view, predicted, at, there, view.drive.end);
    const Vec3<Real> slopes = carried.load(at) + cross(damped(view, at, there, w), there);
    spins.store(at, normalised(spins.load(at) + Real(0.5) * slopes));
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
