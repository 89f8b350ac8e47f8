#include "larmor/spins/terms/site_selection.hpp"

#include <algorithm>

namespace larmor::spins {

SiteSelection sites_of(const std::optional<std::string>& species, const std::string& term,
                       const lattice::Geometry& geometry, const SourcePosition& where) {
  if (!species) return [](Index) { return true; };
  std::vector<bool> chosen;
  for (const lattice::BasisAtom& atom : geometry.crystal.basis)
    chosen.push_back(atom.species == *species);
  if (std::find(chosen.begin(), chosen.end(), true) == chosen.end())
    throw InputError(term + " is for species \"" + *species + "\", which no site has", where,
                     "use one of the species of the lattice");
  return [&geometry, chosen](Index site) {
    return bool(chosen[static_cast<std::size_t>(geometry.basis_index(site))]);
  };
}

}  // namespace larmor::spins
