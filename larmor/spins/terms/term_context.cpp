#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

SiteSelection sites_of(const std::optional<std::string>& species, const std::string& term,
                       const lattice::Geometry& geometry, const SourcePosition& where) {
  if (!species) return [](Index) { return true; };
  if (!geometry.has_species(*species))
    throw InputError(term + ": no site has the species \"" + *species + "\"", where,
                     "use one of the species of the lattice");
  return [&geometry, name = *species](Index site) { return geometry.species(site) == name; };
}

}  // namespace larmor::spins
