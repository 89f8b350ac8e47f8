#include "larmor/spins/terms/local_field.hpp"

#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {
namespace {

std::vector<bool> listed(const LocalField& field, const lattice::Geometry& geometry) {
  std::vector<bool> chosen(static_cast<std::size_t>(geometry.sites()));
  for (const Index site : field.sites) {
    if (site >= geometry.sites())
      throw InputError("local-field: there is no site " + std::to_string(site), field.where,
                       "sites are counted from 0 to " + std::to_string(geometry.sites() - 1));
    if (chosen[static_cast<std::size_t>(site)])
      throw InputError("local-field: site " + std::to_string(site) + " is listed twice",
                       field.where, "list each site once");
    chosen[static_cast<std::size_t>(site)] = true;
  }
  return chosen;
}

}  // namespace

FieldTable<LocalField> LocalField::fields() {
  return FieldTable<LocalField>()
      .required("B", &LocalField::B, Dimension::magnetic_field, "the field, three components")
      .optional("species", &LocalField::species, Dimension::none,
                "species of the sites that have the field B")
      .optional("sites", &LocalField::sites, Dimension::none,
                "numbers of the sites that have the field B, from 0, each once")
      .at_least(0)
      .optional("staggered", &LocalField::staggered, Dimension::none,
                "whether the field is B on the even atoms of the basis and -B on the odd atoms");
}

std::function<double(Index)> LocalField::sign_of(const lattice::Geometry& geometry) const {
  if (int(species.has_value()) + int(!sites.empty()) + int(staggered) != 1)
    throw InputError(
        "local-field does not select its sites in exactly one way", where,
        "give exactly one of species, sites and staggered = true; a uniform field is the table "
        "[field]");
  if (staggered) {
    if (!geometry.is_lattice() || geometry.crystal.basis.size() < 2)
      throw InputError(
          "local-field: staggered needs a lattice with at least two atoms in its basis", where,
          "list the sites, or use a cell whose basis has at least two atoms");
    return [&geometry](Index site) { return geometry.basis_index(site) % 2 == 0 ? 1.0 : -1.0; };
  }
  if (species)
    return [chosen = sites_of(species, name, geometry, where)](Index site) {
      return chosen(site) ? 1.0 : 0.0;
    };
  return [chosen = listed(*this, geometry)](Index site) {
    return chosen[static_cast<std::size_t>(site)] ? 1.0 : 0.0;
  };
}

LoweredTerm LocalField::lower(const TermContext& context) const {
  LoweredTerm term;
  term.name = name;
  term.by_atom = sites.empty() && context.cells_are_alike();
  term.field = [&moments = context.moments, B = B, mu_B = context.constants.mu_B,
                sign = sign_of(context.geometry)](Index site) {
    return (sign(site) * moments[static_cast<std::size_t>(site)] * mu_B) * B;
  };
  return term;
}

}  // namespace larmor::spins
