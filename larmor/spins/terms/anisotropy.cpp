#include "larmor/spins/terms/anisotropy.hpp"

#include <algorithm>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/terms/term_context.hpp"
#include "larmor/symmetry/spread.hpp"

namespace larmor::spins {
namespace {

/// k times the matrix of the projection on n.
Mat3<double> along(const Vec3<double>& n, double k) {
  return {{(k * n.x) * n, (k * n.y) * n, (k * n.z) * n}};
}

/// The symmetric matrix; an asymmetry by rounding is removed.
Mat3<double> symmetric(const Mat3<double>& A) { return 0.5 * (A + A.transposed()); }

}  // namespace

FieldTable<UniaxialAnisotropy> UniaxialAnisotropy::fields() {
  return FieldTable<UniaxialAnisotropy>()
      .optional("K", &UniaxialAnisotropy::K, Dimension::energy,
                "strength of second order, where K > 0 gives an easy axis; give at least one of K, "
                "K4 and K6, or A; default: 0")
      .optional("K4", &UniaxialAnisotropy::K4, Dimension::energy,
                "strength of fourth order; default: 0")
      .optional("K6", &UniaxialAnisotropy::K6, Dimension::energy,
                "strength of sixth order; default: 0")
      .optional("axis", &UniaxialAnisotropy::axis, Dimension::none,
                "direction n, a vector of any length except 0")
      .not_zero()
      .optional("A", &UniaxialAnisotropy::A, Dimension::energy,
                "symmetric matrix of the general quadratic anisotropy - e^T A e, by rows, instead "
                "of strengths and an axis")
      .optional("species", &UniaxialAnisotropy::species, Dimension::none,
                "species of the sites on which the term acts; default: all")
      .optional("atoms", &UniaxialAnisotropy::atoms, Dimension::none,
                "basis atoms on which the term acts, counted from 0; default: all")
      .at_least(0)
      .optional("symmetry", &UniaxialAnisotropy::symmetry, Dimension::none,
                "\"crystal\": each of `atoms` stands for all atoms to which the space group of the "
                "lattice moves it, and the anisotropy turns with it")
      .one_of({"none", symmetry::by_crystal});
}

void UniaxialAnisotropy::check(const lattice::Geometry& geometry) const {
  const bool has_strength = K || K4 || K6;
  if (!has_strength && !A)
    throw InputError("anisotropy has none of K, K4 and K6", where,
                     "give at least one of K, K4 and K6; K > 0 gives an easy axis");
  if (A && (has_strength || where.has("axis")))
    throw InputError("anisotropy has a matrix A and also strengths or an axis",
                     where.of({"axis", "K", "K4", "K6"}),
                     "give only A, and strengths with their axis in another [[anisotropy]] table");
  if (A && frobenius_norm(*A + -1.0 * A->transposed()) > 1e-9 * frobenius_norm(*A))
    throw InputError("anisotropy: A is not symmetric", where.of("A"),
                     "only the symmetric part of A has an energy e^T A e; give a symmetric matrix");
  const auto count = static_cast<Index>(geometry.crystal.basis.size());
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    if (atoms[n] >= count)
      throw InputError("anisotropy: atom " + std::to_string(atoms[n]) + " is not in the basis",
                       where.of("atoms"),
                       "basis atoms are counted from 0 to " + std::to_string(count - 1));
    if (std::find(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(n), atoms[n]) !=
        atoms.begin() + static_cast<std::ptrdiff_t>(n))
      throw InputError("anisotropy: an atom is given twice", where.of("atoms"),
                       "name each atom once");
  }
  if (symmetry == symmetry::by_crystal && atoms.empty())
    throw InputError("anisotropy: symmetry = \"crystal\" needs atoms", where.of("symmetry"),
                     "give atoms = [i], one atom of each class");
}

std::vector<OnsiteCoupling> UniaxialAnisotropy::about(const Vec3<double>& direction) const {
  return {{direction, K.value_or(0), K4.value_or(0), K6.value_or(0)}};
}

LoweredTerm UniaxialAnisotropy::lower(const TermContext& context) const {
  check(context.geometry);
  std::vector<std::vector<OnsiteCoupling>> of_atom(context.geometry.crystal.basis.size());
  if (symmetry == symmetry::by_crystal) {
    // The projection on the axis is allowed just if all operations map the axis to itself or
    // reverse it, and then K4 and K6 are allowed too.
    const Mat3<double> matrix = A ? symmetric(*A) : along(unit_vector(axis), 1);
    const auto images = symmetry::spread_sites(atoms, name, context.geometry, context.surroundings,
                                               where.of({"A", "axis", "K", "K4", "K6"}), matrix);
    for (std::size_t atom = 0; atom < images.size(); ++atom)
      if (images[atom])
        of_atom[atom] = A ? onsite_quadratic(2.0 * images[atom]->matrix)
                          : about(images[atom]->rotation * unit_vector(axis));
  } else {
    const std::vector<OnsiteCoupling> all =
        A ? onsite_quadratic(2.0 * symmetric(*A)) : about(unit_vector(axis));
    if (atoms.empty()) of_atom.assign(1, all);
    for (const Index atom : atoms) of_atom[static_cast<std::size_t>(atom)] = all;
  }
  LoweredTerm term;
  term.name = name;
  term.by_atom = context.cells_are_alike();
  term.onsite = [of_atom, chosen = sites_of(species, name, context.geometry, where)](Index site) {
    if (!chosen(site)) return std::vector<OnsiteCoupling>{};
    return of_atom[static_cast<std::size_t>(site) % of_atom.size()];
  };
  return term;
}

}  // namespace larmor::spins
