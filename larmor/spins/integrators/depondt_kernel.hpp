#pragma once
// The method of Depondt and Mertens, J. Phys.: Condens. Matter 21 (2009) 336005. A predictor turns
// every spin about the damped field at the beginning of the step. A corrector turns every spin
// about the mean of this field and the damped field at the predicted spins. The method keeps |e| =
// 1 exactly. Without noise it is of second order.
//
// The noise enters the corrector linearly, so the predictor can compute the contribution of the
// noise to the corrector. One vector stores this contribution added to the turn of the predictor.
// So a spin needs three vectors (72 bytes).

#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct DepondtPredictor {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.spins; }
  Reals output() const { return view.work[0]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> e = fields.spins.load(at);
    const NoisyTurn<Real> w = first_turn<C>(view, fields.spins, at, e);
    Vec3<Real> carried = damped(view, at, e, w.turn);
    const Vec3<Real> predicted = rotated(carried, e);
    fields.first.store(at, predicted);
    if (view.root_thermal_energy != nullptr) carried += damped(view, at, predicted, w.noise);
    fields.second.store(at, carried);
  }
};

template <BondClass C>
struct DepondtCorrector {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.work[0]; }
  Reals output() const { return view.spins; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> predicted = fields.first.load(at);
    const Vec3<Real> w = turn<C>(view, fields.first, at, predicted, view.drive.end);
    const Vec3<Real> both = fields.second.load(at) + damped(view, at, predicted, w);
    fields.spins.store(at, rotated(Real(0.5) * both, fields.spins.load(at)));
  }
};

struct Depondt {
  static constexpr SchemeInfo info{
      .name = "depondt",
      .doc = "second order; the steps keep the length of spins exactly",
      .profile = "steps, Depondt",
      .header = "larmor/spins/integrators/depondt_kernel.hpp",
      .precession_error = 1e-7};
  static constexpr StageInfo stages[] = {{"DepondtPredictor<bond_class>", true},
                                         {"DepondtCorrector<bond_class>"}};
  template <BondClass C>
  using Kernels = Stages<DepondtPredictor<C>, DepondtCorrector<C>>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
