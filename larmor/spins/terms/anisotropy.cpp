#include "larmor/spins/terms/anisotropy.hpp"

#include <algorithm>

#include "larmor/core/unit_vector.hpp"

namespace larmor::spins {

LoweredTerm UniaxialAnisotropy::lower(const TermContext& context) const {
  const lattice::Geometry& geometry = context.geometry;
  if (species) {
    const auto& basis = geometry.crystal.basis;
    const bool known = std::any_of(basis.begin(), basis.end(),
                                   [&](const auto& atom) { return atom.species == *species; });
    if (!known)
      throw InputError("anisotropy is for species \"" + *species + "\", which no site has", where,
                       "use one of the species of the lattice");
  }
  LoweredTerm term;
  term.name = name;
  const Vec3<double> n = unit_vector(axis);
  term.onsite = [&geometry, n, K = K, species = species](Index site) {
    std::vector<OnsiteCoupling> couplings;
    const auto& atom = geometry.crystal.basis[static_cast<std::size_t>(geometry.basis_index(site))];
    if (!species || atom.species == *species) couplings.push_back({n, K, 0, 0});
    return couplings;
  };
  return term;
}

}  // namespace larmor::spins
