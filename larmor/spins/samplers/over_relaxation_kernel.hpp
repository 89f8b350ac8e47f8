#pragma once
// Over-relaxation: the spin is reflected about the field of the linear energy terms (Creutz, Phys.
// Rev. D 36 (1987) 515). This leaves the linear terms unchanged. If there are nonlinear terms, a
// Metropolis step accepts or rejects their change. Over-relaxation is not ergodic, so it must be
// combined with another update.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/samplers/directions.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Returns 1 if the reflection was accepted. If the energy is linear, this is always the case.
template <BondClass C>
struct OverRelaxation {
  SweepView sweep;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const VectorView spins(sweep.spins, sweep.model.layout);
    const Vec3<Real> e = spins.load(at);
    const Environment<Real> w = environment_of<C>(sweep.model, spins, at);
    const Real norm = dot(w.field, w.field);
    const auto zero = norm <= Real(is_double<Real> ? 1e-300 : 1e-36);
    const Real factor =
        select(zero, Real(0.0), Real(2.0) * dot(e, w.field) / select(zero, Real(1.0), norm));
    const Vec3<Real> trial = renormalised(factor * w.field - e);
    if (is_linear(sweep.model)) {
      spins.store(at, trial);
      return {{Real(1.0)}};
    }
    const Real rise =
        nonlinear_energy(sweep.model, w, at, trial) - nonlinear_energy(sweep.model, w, at, e);
    const auto random =
        philox(sweep.key, canonical_sites(at, sweep.model.canonical), replica_indices(at));
    const auto accept = uniform_52<Real>(random.w[0], random.w[1]) <
                        exponential(-(ReplicaView{sweep.beta}.load(at) * rise));
    spins.store(at, {select(accept, trial.x, e.x), select(accept, trial.y, e.y),
                     select(accept, trial.z, e.z)});
    return {{select(accept, Real(1.0), Real(0.0))}};
  }
};

struct OverRelaxationUpdate {
  static constexpr UpdateInfo info{.name = nullptr,
                                   .doc = "reflects each spin about its field",
                                   .title = "over-relaxation",
                                   .header = "larmor/spins/samplers/over_relaxation_kernel.hpp",
                                   .functor = "OverRelaxation<bond_class>",
                                   .stream = Stream::over_relaxation,
                                   .moved_vectors = 3};
  template <BondClass C>
  using Kernel = OverRelaxation<C>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
