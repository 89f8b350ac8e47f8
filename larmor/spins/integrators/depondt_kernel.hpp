#pragma once
// Depondt and Mertens, J. Phys.: Condens. Matter 21 (2009) 336005: a predictor turns every spin
// about the damped field at the beginning of the step, a corrector about the mean of that and the
// damped field at the predicted spins. |e| = 1 exactly; second order without noise.
//
// The noise enters the corrector linearly, so its part there is known to the predictor: noise and
// predictor's turn travel in one vector, and a spin takes three (72 bytes).

#include "larmor/core/for_each.hpp"
#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct DepondtPredictor {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), predicted(view.work[0], layout),
        carried(view.work[1], layout);
    const Vec3<Real> e = spins.load(at);
    Vec3<Real> w = turn<C>(view, spins, at, e, view.drive.begin);
    if (view.root_thermal_energy == nullptr) {
      const Vec3<Real> u = damped(view, at, e, w);
      predicted.store(at, rotated(u, e));
      carried.store(at, u);
      return;
    }
    const Vec3<Real> noise = noise_turn(view, at);
    w += noise;
    const Vec3<Real> u = damped(view, at, e, w);
    const Vec3<Real> there = rotated(u, e);
    predicted.store(at, there);
    carried.store(at, u + damped(view, at, there, noise));
  }
};

template <BondClass C>
struct DepondtCorrector {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = view.model.layout;
    const VectorView spins(view.spins, layout), predicted(view.work[0], layout),
        carried(view.work[1], layout);
    const Vec3<Real> there = predicted.load(at);
    const Vec3<Real> w = turn<C>(view, predicted, at, there, view.drive.end);
    const Vec3<Real> both = carried.load(at) + damped(view, at, there, w);
    spins.store(at, rotated(Real(0.5) * both, spins.load(at)));
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
