#pragma once
// Heat bath (Miyatake et al., J. Phys. C 19 (1986) 2539). The new direction e is drawn with the
// density exp(beta h.e), where h is the field of the linear energy terms. For this, the
// distribution of the cosine between e and h is inverted. An acceptance step corrects for nonlinear
// terms (anisotropy, biquadratic), so the update is exact for every model.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/samplers/directions.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Computes 1 - c from a uniform random number u, where c is the cosine between spin and field. The
/// density of c is proportional to exp(kappa c) on [-1, 1].
template <class Real>
LARMOR_INLINE Real heat_bath_versine(Real kappa, Real u) {
  // For small kappa the quotient loses digits. The error of the expansion to first order in kappa
  // is at most kappa^2 / 8, and the error of its mean over u is kappa^3 / 45.
  const Real small(is_double<Real> ? 1e-6 : 1e-2);
  const Real safe = select(kappa < small, Real(1.0), kappa);
  const Real inverted = -logarithm(u + (Real(1.0) - u) * exponential(Real(-2.0) * safe)) / safe;
  const Real expanded = Real(2.0) - Real(2.0) * u - Real(2.0) * kappa * u * (Real(1.0) - u);
  Real d = select(kappa < small, expanded, inverted);
  d = select(d < Real(0.0), Real(0.0), d);
  return select(d > Real(2.0), Real(2.0), d);
}

/// Returns 1 if the new direction was accepted. If the energy is linear, this is always the case.
template <BondClass C>
struct HeatBath {
  SweepView sweep;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const VectorView spins(sweep.spins, sweep.model.layout);
    const Environment<Real> w = environment_of<C>(sweep.model, spins, at);
    const Real strength = square_root(dot(w.field, w.field));
    const auto zero = strength <= Real(is_double<Real> ? 1e-300 : 1e-36);
    const Real inverse = Real(1.0) / select(zero, Real(1.0), strength);
    const Vec3<Real> axis{select(zero, Real(0.0), inverse * w.field.x),
                          select(zero, Real(0.0), inverse * w.field.y),
                          select(zero, Real(1.0), inverse * w.field.z)};
    const Real beta = ReplicaView{sweep.beta}.load(at);
    const auto sites = canonical_sites(at, sweep.model.canonical);
    const auto random = philox(sweep.key, sites, replica_indices(at));
    const Real versine =
        heat_bath_versine(beta * strength, uniform_52<Real>(random.w[0], random.w[1]));
    const Vec3<Real> trial =
        renormalised(direction_around(axis, versine, uniform_32<Real>(random.w[2])));
    if (is_linear(sweep.model)) {
      spins.store(at, trial);
      return {{Real(1.0)}};
    }
    const Vec3<Real> e = spins.load(at);
    const Real rise =
        nonlinear_energy(sweep.model, w, at, trial) - nonlinear_energy(sweep.model, w, at, e);
    const auto accept = uniform_32<Real>(random.w[3]) < exponential(-(beta * rise));
    spins.store(at, {select(accept, trial.x, e.x), select(accept, trial.y, e.y),
                     select(accept, trial.z, e.z)});
    return {{select(accept, Real(1.0), Real(0.0))}};
  }
};

struct HeatBathUpdate {
  static constexpr UpdateInfo info{.name = "heat-bath",
                                   .doc = "draws each spin from its Boltzmann distribution",
                                   .title = "heat bath",
                                   .header = "larmor/spins/samplers/heat_bath_kernel.hpp",
                                   .functor = "HeatBath<bond_class>",
                                   .stream = Stream::heat_bath};
  template <BondClass C>
  using Kernel = HeatBath<C>;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
