#pragma once
// The classical Runge-Kutta method, without noise. Each spin has four vectors (96 bytes): the spin
// y, the sum of the slopes, and two stage values a and b. Two stage values are needed because
// neighbours still read one of them while the next one is written. At the end of a step |e| = 1 is
// restored. This correction is of fifth order.

#include "larmor/core/maths/vec3.hpp"
#include "larmor/spins/integrators/llg.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Computes slope number Stage (1 to 4). Slope 1 reads y, slopes 2 and 4 read stage value a, and
/// slope 3 reads stage value b.
template <BondClass C, int Stage>
struct Rk4Stage {
  LlgView view;
  LARMOR_INLINE Reals input() const {
    return Stage == 1 ? view.spins : view.work[Stage == 3 ? 2 : 1];
  }
  Reals output() const { return Stage == 4 ? view.spins : view.work[Stage == 2 ? 2 : 1]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const LlgFields fields(view);
    const VectorView &spins = fields.spins, &sum = fields.first, &a = fields.second,
                     &b = fields.third;
    const VectorView& input = Stage == 1 ? spins : Stage == 3 ? b : a;
    const Drive& drive = Stage == 1   ? view.drive.begin
                         : Stage == 4 ? view.drive.end
                                      : view.drive.middle;

    const Vec3<Real> e = input.load(at);
    const Vec3<Real> slope = cross(damped(view, at, e, turn<C>(view, input, at, e, drive)), e);

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
      spins.store(at, normalised(sum.load(at) + Real(1.0 / 6.0) * slope));
    }
  }
};

struct Rk4 {
  static constexpr SchemeInfo info{.name = "rk4",
                                   .doc = "fourth order; supports no heat bath",
                                   .profile = "steps, Runge-Kutta",
                                   .header = "larmor/spins/integrators/rk4_kernel.hpp",
                                   .work_fields = 3,
                                   .has_heat_bath = false,
                                   .moved_vectors = 16,
                                   .accurate_turn = 0.5,
                                   .precession_error = 1e-7};
  static constexpr StageInfo stages[] = {{"Rk4Stage<bond_class, 1>"},
                                         {"Rk4Stage<bond_class, 2>"},
                                         {"Rk4Stage<bond_class, 3>"},
                                         {"Rk4Stage<bond_class, 4>"}};
  template <BondClass C>
  using Kernels = Stages<Rk4Stage<C, 1>, Rk4Stage<C, 2>, Rk4Stage<C, 3>, Rk4Stage<C, 4>>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
