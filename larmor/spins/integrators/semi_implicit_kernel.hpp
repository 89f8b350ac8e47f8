#pragma once
// The semi-implicit method B of Mentink et al., J. Phys.: Condens. Matter 22 (2010) 176001. It is
// implicit in the spin itself and explicit in its neighbours. The implicit equation is solved
// exactly.
//
//     predictor  y = e + a(e) x (e + y) / 2,     a = damped turn
//     corrector  e' = e + a(m) x (e + e') / 2,   m = (e + y) / 2
//
// The method keeps |e| to rounding. Without noise it is of second order. A spin needs three vectors
// (72 bytes).

#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

template <BondClass C>
struct SemiImplicitPredictor {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.spins; }
  Reals output() const { return view.work[0]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> e = fields.spins.load(at);
    const NoisyTurn<Real> w = first_turn<C>(view, fields.spins, at, e);
    const Vec3<Real> middle = Real(0.5) * (e + cayley(damped(view, at, e, w.turn), e));
    fields.first.store(at, middle);
    if (view.root_thermal_energy != nullptr)
      fields.second.store(at, damped(view, at, middle, w.noise));
  }
};

template <BondClass C>
struct SemiImplicitCorrector {
  LlgView view;
  LARMOR_INLINE Reals input() const { return view.work[0]; }
  Reals output() const { return view.spins; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const Vec3<Real> middle = fields.first.load(at);
    const Vec3<Real> w = turn<C>(view, fields.first, at, middle, view.drive.middle);
    Vec3<Real> u = damped(view, at, middle, w);
    if (view.root_thermal_energy != nullptr) u += fields.second.load(at);
    fields.spins.store(at, renormalised(cayley(u, fields.spins.load(at))));
  }
};

struct SemiImplicit {
  static constexpr SchemeInfo info{
      .name = "semi-implicit",
      .doc =
          "second order, implicit in the spin itself; the steps keep the length of spins exactly",
      .profile = "steps, semi-implicit",
      .header = "larmor/spins/integrators/semi_implicit_kernel.hpp"};
  static constexpr StageInfo stages[] = {{"SemiImplicitPredictor<bond_class>", true},
                                         {"SemiImplicitCorrector<bond_class>"}};
  template <BondClass C>
  using Kernels = Stages<SemiImplicitPredictor<C>, SemiImplicitCorrector<C>>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
