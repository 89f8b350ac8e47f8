#pragma once
// The energy of spins that are updated colour by colour, summed during the updates. A bond counts
// when its later colour is updated, because both of its spins are then final.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

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
