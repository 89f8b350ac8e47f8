#pragma once
// Sums over sites that kernels compute in addition to their own work. EnergyAndMoment gives energy
// and magnetisation in one pass over the spins. This is the most frequent measurement.
// EnergyOfColours gives the energy of spins while they are updated colour by colour. A bond counts
// when the later colour of its two spins is updated, because both spins are final at this moment.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Contribution of a site to the energy, and its moment: (E, m_x, m_y, m_z).
template <BondClass C>
struct EnergyAndMoment {
  ModelView model;
  Reals spins;
  RowTable moment;  ///< width 1

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 4> operator()(const At& at) const {
    const VectorView view(spins, model.layout);
    const auto m = RowValues<At>(moment, at)[0] * view.load(at);
    return {{energy_share<C>(model, view, at), m.x, m.y, m.z}};
  }
};

/// Contribution of a site after its update.
struct EnergyOfColours {
  ModelView model;
  Reals spins;

  /// @param earlier field of bonds with sites of earlier colours
  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(
      const At& at, const Vec3<typename At::Real>& earlier) const {
    const auto e = VectorView(spins, model.layout).load(at);
    return {{onsite_energy(model, at, e) - dot(external_field(model, at) + earlier, e)}};
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
