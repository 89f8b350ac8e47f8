#pragma once
// Metropolis update of one spin. The trial direction is uniform in a cone around the old direction.
// This choice is symmetric in both directions, so detailed balance holds. The trial is accepted
// with probability min(1, exp(-beta dE)). If the cone has the half angle pi, the trial direction is
// uniform on the sphere.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/samplers/directions.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Returns 1 if the move was accepted.
template <BondClass C>
struct Metropolis {
  SweepView sweep;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const VectorView spins(sweep.spins, sweep.model.layout);
    const Vec3<Real> e = spins.load(at);
    const auto random =
        philox(sweep.key, canonical_sites(at, sweep.model.canonical), replica_indices(at));
    const Real cone = ReplicaView{sweep.cone}.load(at);
    const Vec3<Real> trial = renormalised(
        direction_around(e, cone * uniform_32<Real>(random.w[0]), uniform_32<Real>(random.w[1])));

    const Environment<Real> w = environment_of<C>(sweep.model, spins, at);
    Real rise = dot(w.field, e - trial);
    if (!is_linear(sweep.model))
      rise = rise + nonlinear_energy(sweep.model, w, at, trial) -
             nonlinear_energy(sweep.model, w, at, e);
    const Real probability = exponential(-(ReplicaView{sweep.beta}.load(at) * rise));
    const auto accept = uniform_52<Real>(random.w[2], random.w[3]) < probability;
    spins.store(at, {select(accept, trial.x, e.x), select(accept, trial.y, e.y),
                     select(accept, trial.z, e.z)});
    return {{select(accept, Real(1.0), Real(0.0))}};
  }
};

struct MetropolisUpdate {
  static constexpr UpdateInfo info{.name = "metropolis",
                                   .doc =
                                       "proposes a change of each spin, and accepts it with "
                                       "probability min(1, exp(-dE / k_B T))",
                                   .title = "Metropolis",
                                   .header = "larmor/spins/samplers/metropolis_kernel.hpp",
                                   .functor = "Metropolis<bond_class>",
                                   .stream = Stream::metropolis,
                                   .has_cone = true,
                                   .moved_vectors = 3};
  template <BondClass C>
  using Kernel = Metropolis<C>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
