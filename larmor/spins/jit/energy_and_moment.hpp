#pragma once
// The most frequent measurement, energy and magnetisation, in one pass over the spins.

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

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
