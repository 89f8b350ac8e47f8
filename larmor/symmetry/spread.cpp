#include "larmor/symmetry/spread.hpp"

#include <fmt/core.h>

#include "larmor/core/error.hpp"
#include "larmor/symmetry/matrices.hpp"

namespace larmor::symmetry {
namespace {

void require_lattice(const lattice::Geometry& geometry, const std::string& term,
                     const SourcePosition& where) {
  if (!geometry.is_lattice())
    throw InputError(term + ": plain positions have no space group", where,
                     "use a lattice with a cell, or symmetry = \"none\"");
}

[[noreturn]] void refuse(const std::string& term, const MatrixOperation& operation,
                         const MatrixSpace& space, const std::string& whose,
                         const SourcePosition& where) {
  const std::vector<Mat3<double>> basis = space.all();
  const bool is_site = whose == "site";
  std::string allowed = basis.empty()
                            ? std::string(is_site ? "only a multiple of the unit matrix, which "
                                                    "has no effect"
                                                  : "no coupling at all")
                            : (is_site ? "the anisotropies - e^T A e with A = " : "the matrices ") +
                                  matrix_text(with_letters(basis));
  if (is_site && !basis.empty()) allowed += ", plus any multiple of the unit matrix";
  throw InputError(fmt::format("{}: the symmetry of the {} forbids this coupling: {} changes it",
                               term, whose, operation_text(operation)),
                   where,
                   fmt::format("the {} allows {}; give other atoms without spins as other_atoms of "
                               "[lattice] if they lower its symmetry",
                               whose, allowed));
}

std::vector<lattice::StencilBond> representatives(const lattice::BondSelection& selection,
                                                  const std::string& term,
                                                  const lattice::Geometry& geometry) {
  require_lattice(geometry, term, selection.where.of("symmetry"));
  if (selection.offset.empty())
    throw InputError(term + ": symmetry = \"crystal\" needs bonds that atoms and offset name",
                     selection.where.of({"shell", "pairs", "symmetry"}),
                     "give atoms = [i, j] and offset = [[x, y, z]] of one bond of each class");
  return lattice::select_bonds(selection, term, geometry).stencil;
}

/// Calls `visit` for the orbit of each named bond.
template <class Visit>
void for_each_orbit(const lattice::BondSelection& selection, const std::string& term,
                    const lattice::Geometry& geometry, const Surroundings& surroundings,
                    const Visit& visit) {
  const std::vector<lattice::StencilBond> named = representatives(selection, term, geometry);
  const SpaceGroup group = with_position(
      selection.where.of("symmetry"), [&] { return space_group(geometry.crystal, surroundings); });
  std::vector<lattice::StencilBond> known;
  for (const lattice::StencilBond& bond : named) {
    for (const lattice::StencilBond& other : known)
      if (same_bond(other, bond))
        throw InputError(term + ": two bonds of offset are images of each other",
                         selection.where.of("offset"),
                         "name one bond of each class, as larmor symmetry lists them");
    const BondOrbit orbit = orbit_of(group, geometry.crystal, bond);
    for (const BondImage& image : orbit.images) known.push_back(image.bond);
    visit(orbit);
  }
}

}  // namespace

std::vector<CoupledBond> spread(const lattice::BondSelection& selection, const std::string& term,
                                const lattice::Geometry& geometry, const Surroundings& surroundings,
                                const std::string& key, const MatrixOfBond& matrix) {
  std::vector<CoupledBond> bonds;
  for_each_orbit(selection, term, geometry, surroundings, [&](const BondOrbit& orbit) {
    const Mat3<double> given = matrix(orbit.images.front().bond);
    if (const auto operation = forbidding(orbit.group, given))
      refuse(term, *operation, allowed_exchange(orbit.group), "bond", selection.where.of(key));
    const Mat3<double> exact = allowed_part(orbit.group, given);
    for (const BondImage& image : orbit.images)
      bonds.push_back({image.bond, image.operation.apply(exact)});
  });
  return bonds;
}

lattice::SelectedBonds spread(const lattice::BondSelection& selection, const std::string& term,
                              const lattice::Geometry& geometry, const Surroundings& surroundings) {
  lattice::SelectedBonds bonds;
  for_each_orbit(selection, term, geometry, surroundings, [&](const BondOrbit& orbit) {
    for (const BondImage& image : orbit.images) bonds.stencil.push_back(image.bond);
  });
  return bonds;
}

std::vector<std::optional<TurnedMatrix>> spread_sites(
    const std::vector<Index>& atoms, const std::string& term, const lattice::Geometry& geometry,
    const Surroundings& surroundings, const SourcePosition& where, const Mat3<double>& matrix) {
  require_lattice(geometry, term, where);
  const SpaceGroup group =
      with_position(where, [&] { return space_group(geometry.crystal, surroundings); });
  std::vector<std::optional<TurnedMatrix>> of_atom(geometry.crystal.basis.size());
  for (const Index atom : atoms) {
    const SiteOrbit orbit = orbit_of(group, geometry.crystal, static_cast<int>(atom));
    if (const auto operation = forbidding(orbit.group, matrix))
      refuse(term, *operation, allowed_anisotropy(orbit.group), "site", where);
    const Mat3<double> exact = allowed_part(orbit.group, matrix);
    for (const SiteImage& image : orbit.images) {
      auto& place = of_atom[static_cast<std::size_t>(image.atom)];
      if (place)
        throw InputError(fmt::format("{}: two of the atoms are images of each other", term), where,
                         "name one atom of each class, as larmor symmetry lists them");
      place = TurnedMatrix{image.operation.rotation, image.operation.apply(exact)};
    }
  }
  return of_atom;
}

}  // namespace larmor::symmetry
