#include "larmor/spins/terms/exchange.hpp"

#include "larmor/symmetry/spread.hpp"

namespace larmor::spins {

FieldTable<Exchange> Exchange::fields() {
  FieldTable<Exchange> table;
  lattice::add_exchange_fields(table)
      .optional("file", &Exchange::file, Dimension::none,
                "UppASD jfile with all couplings, in mRy; Larmor adds up both directions of a "
                "bond, because UppASD counts each pair twice")
      .not_empty()
      .optional("symmetry", &Exchange::symmetry, Dimension::none,
                "operations that complete the vectors of `file`; or \"crystal\" without `file`: "
                "each bond "
                "of `offset` stands for all bonds to which the space group of the lattice moves it")
      .one_of({"none", "cubic", "square", "hexagonal", symmetry::by_crystal})
      .optional("maptype", &Exchange::maptype, Dimension::none,
                "format of `file`: 1 for vectors in lattice constants, 2 for cell offsets")
      .at_least(1)
      .at_most(2);
  return table;
}

lattice::SelectedBonds Exchange::selected(const lattice::Geometry& geometry,
                                          const symmetry::Surroundings& surroundings) const {
  const char* const remedy = "add `J = ...` (J > 0 is ferromagnetic), or `file = \"jfile\"`";
  if (symmetry == "none") return select(geometry, remedy);
  require_coupling(remedy);
  if (symmetry != symmetry::by_crystal)
    throw InputError("exchange: symmetry = \"" + symmetry + "\" completes the vectors of a file",
                     where.of("symmetry"), "give file, or symmetry = \"crystal\"");
  const lattice::SelectedBonds bonds = symmetry::spread(*this, name, geometry, surroundings);
  return disorder > 0 ? lattice::pair_by_pair(bonds, geometry) : bonds;
}

LoweredTerm Exchange::lower(const TermContext& context) const {
  const lattice::SelectedBonds bonds = selected(context.geometry, context.surroundings);
  LoweredTerm term;
  term.name = name;
  term.warning = bonds.warning;
  term.bond_class = BondClass::scalar;
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, isotropic(*J)});
  term.pairs.reserve(bonds.pairs.size());
  for (const auto& bond : bonds.pairs) {
    const bool shared = disorder > 0 && !disorder_by_replica;
    term.pairs.push_back({bond, isotropic(*J + (shared ? deviation(bond.i, bond.j, 0) : 0))});
  }
  if (disorder_by_replica)
    term.exchange_of_replica = [*this](Index i, Index j, Index replica) {
      return deviation(i, j, replica);
    };
  return term;
}

double Exchange::numbers_of_replica(const lattice::Geometry& geometry,
                                    const symmetry::Surroundings& surroundings) const {
  if (!disorder_by_replica) return 0;
  const lattice::SelectedBonds bonds = selected(geometry, surroundings);
  // Each bond is stored at both of its sites.
  return 2 * (static_cast<double>(bonds.stencil.size()) * static_cast<double>(geometry.cells()) +
              static_cast<double>(bonds.pairs.size()));
}

}  // namespace larmor::spins
