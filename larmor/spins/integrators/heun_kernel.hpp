#pragma once
// Heun's predictor and corrector (Garcia-Palacios and Lazaro, Phys. Rev. B 58 (1998) 14937). The
// corrector takes the mean of the slopes at the beginning and at the predicted end. Both slopes
// have equal noise. Predictor and corrector each restore |e| = 1. Without noise the method is of
// second order.
//
// The predictor computes the contribution of the noise to the corrector, and Depondt's method does
// so too. So a spin needs three vectors.

#include "larmor/core/maths/vec3.hpp"
#include "larmor/spins/integrators/llg.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct HeunPredictor {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.spins; }
  Reals output() const { return view.work[0]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> e = fields.spins.load(at);
    const NoisyTurn<Real> w = first_turn<C>(view, fields.spins, at, e);
    Vec3<Real> slope = cross(damped(view, at, e, w.turn), e);
    const Vec3<Real> predicted = normalised(e + slope);
    fields.first.store(at, predicted);
    if (view.root_thermal_energy != nullptr)
      slope += cross(damped(view, at, predicted, w.noise), predicted);
    fields.second.store(at, slope);
  }
};

template <BondClass C>
struct HeunCorrector {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.work[0]; }
  Reals output() const { return view.spins; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> predicted = fields.first.load(at);
    const Vec3<Real> w = turn<C>(view, fields.first, at, predicted, view.drive.end);
    const Vec3<Real> slopes =
        fields.second.load(at) + cross(damped(view, at, predicted, w), predicted);
    fields.spins.store(at, normalised(fields.spins.load(at) + Real(0.5) * slopes));
  }
};

struct Heun {
  static constexpr SchemeInfo info{.name = "heun",
                                   .doc = "second order, explicit",
                                   .profile = "steps, Heun",
                                   .header = "larmor/spins/integrators/heun_kernel.hpp",
                                   .bath_timestep = 0.0025};
  static constexpr StageInfo stages[] = {{"HeunPredictor<bond_class>", true},
                                         {"HeunCorrector<bond_class>"}};
  template <BondClass C>
  using Kernels = Stages<HeunPredictor<C>, HeunCorrector<C>>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
