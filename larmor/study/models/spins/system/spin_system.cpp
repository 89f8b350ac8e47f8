#include "larmor/study/models/spins/system/spin_system.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "larmor/io/structures/extxyz.hpp"
#include "larmor/io/structures/uppasd.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/layers.hpp"
#include "larmor/study/models/spins/system/alloy.hpp"
#include "larmor/study/models/spins/system/system_advice.hpp"
#include "larmor/symmetry/spread.hpp"

namespace larmor::study {

std::string path_of(const SystemTables& tables, const std::string& file) {
  return path_in(tables.folder, file);
}

namespace {

lattice::Crystal crystal_of(const SystemTables& tables) {
  const LatticeTable& table = tables.lattice;
  if (table.type) return lattice::named_crystal(*table.type, table.constant);
  lattice::Crystal crystal = own_crystal(table);
  if (table.posfile)
    crystal.basis =
        io::read_uppasd_basis(path_of(tables, *table.posfile),
                              table.momfile ? path_of(tables, *table.momfile) : "", *table.cell);
  return crystal;
}

void set_moments(const LatticeTable& table, lattice::Crystal& crystal) {
  require_one_or_each(table, table.moment.size(), "moment", crystal);
  for (std::size_t i = 0; i < crystal.basis.size(); ++i)
    crystal.basis[i].moment = one_or_each(table.moment, i);
}

void check_spin_keys(const LatticeTable& table) {
  if (table.momfile && !table.posfile)
    throw InputError("lattice has a momfile without a posfile", table.where.of("momfile"),
                     "also give the posfile");
  if (table.posfile && (!table.cell || !table.basis.empty()))
    throw InputError("a posfile needs cell, and takes the place of basis",
                     table.where.of("posfile"), "give cell = [[..], [..], [..]] and no basis");
  if (table.posfile && !table.species.empty())
    throw InputError("lattice has both posfile and species", table.where.of("species"),
                     "remove species: the posfile's types are the species");
  if (!table.other_atoms.empty() && !table.cell)
    throw InputError("lattice has other_atoms without a cell", table.where.of("other_atoms"),
                     "give cell = [[..], [..], [..]] and a basis");
  if (!table.other_species.empty() && table.other_atoms.empty())
    throw InputError("lattice has other_species without other_atoms",
                     table.where.of("other_species"), "give other_atoms = [[..]], or remove it");
  if (table.symmetry_tolerance && table.file)
    throw InputError("lattice has both file and symmetry_tolerance",
                     table.where.of("symmetry_tolerance"),
                     "remove symmetry_tolerance: plain positions have no space group");
  const LatticeTable untouched;
  const bool has_moment = table.moment != untouched.moment;
  if (has_moment && (table.file || table.momfile))
    throw InputError("lattice has both moment and a file that gives the moments",
                     table.where.of("moment"),
                     table.file ? "write the moments into a column moment:R:1 of the file"
                                : "remove one of moment and momfile");
  if (table.file && table.layer_thickness)
    throw InputError("lattice has both file and layer_thickness", table.where.of("layer_thickness"),
                     "remove layer_thickness: plain positions have no layers");
}

/// Couplings of an UppASD file, in the energy unit of the tables.
spins::LoweredTerm exchange_from_file(const SystemTables& tables, const spins::Exchange& exchange,
                                      const lattice::Geometry& geometry) {
  if (exchange.disorder > 0)
    throw InputError("exchange has a file and disorder", exchange.where,
                     "give J and the bonds in the study instead of the file");
  if (exchange.symmetry == symmetry::by_crystal)
    throw InputError("exchange has a file and symmetry = \"crystal\"",
                     exchange.where.of("symmetry"),
                     "choose none, cubic, square or hexagonal for the file");
  if (exchange.J || exchange.shell || !exchange.offset.empty() || !exchange.pairs.empty())
    throw InputError("exchange has a file and also couplings of its own", exchange.where,
                     "give only the file, and further couplings in another [[exchange]] table");
  if (tables.context.units != UnitSystem::material)
    throw InputError("an UppASD jfile is in mRy, but the study uses reduced units", exchange.where,
                     "set units = \"material\"");
  spins::LoweredTerm term;
  term.name = spins::Exchange::name;
  const double mRy = 1e-3 * tables.context.constants.Ry;
  for (const io::UppasdCoupling& c :
       io::read_jfile(path_of(tables, *exchange.file), geometry, exchange.symmetry,
                      tables.lattice.constant, static_cast<int>(exchange.maptype)))
    term.stencil.push_back({c.bond, spins::isotropic(c.J_mRy * mRy)});
  return term;
}

}  // namespace

symmetry::Surroundings surroundings_of(const SystemTables& tables) {
  const LatticeTable& table = tables.lattice;
  const std::vector<std::string>& names = table.other_species;
  if (names.size() > 1 && names.size() != table.other_atoms.size())
    throw InputError(fmt::format("other_species has {} names for {} other_atoms", names.size(),
                                 table.other_atoms.size()),
                     table.where.of("other_species"), "give one for all, or one for each atom");
  symmetry::Surroundings around;
  around.tolerance = table.symmetry_tolerance.value_or(0);
  for (std::size_t i = 0; i < table.other_atoms.size(); ++i)
    around.atoms.push_back(
        {table.other_atoms[i], names.empty() ? "other" : one_or_each(names, i), 0});
  return around;
}

std::vector<std::string> files_named(const SystemTables& tables) {
  std::vector<std::string> files;
  const auto add = [&](const std::optional<std::string>& file) {
    if (file) files.push_back(path_of(tables, *file));
  };
  add(tables.lattice.file);
  add(tables.lattice.posfile);
  add(tables.lattice.momfile);
  const auto add_all = [&](const auto& of_kind) {
    for (const auto& table : of_kind)
      if constexpr (requires { table.file; }) add(table.file);
  };
  std::apply([&](const auto&... of_kind) { (add_all(of_kind), ...); }, tables.terms);
  return files;
}

lattice::Geometry build_geometry(const SystemTables& tables) {
  const LatticeTable& table = tables.lattice;
  check_lattice_keys(table);
  check_spin_keys(table);
  lattice::Geometry perfect = with_position(table.where, [&] {
    if (table.file) {
      lattice::Geometry geometry = io::read_extxyz(path_of(tables, *table.file));
      set_species(table, geometry.crystal);
      return geometry;
    }
    lattice::Crystal crystal = crystal_of(tables);
    set_species(table, crystal);
    if (!table.momfile) set_moments(table, crystal);
    return lattice_key_located(table, "", [&] {
      lattice::Geometry geometry =
          lattice::make_lattice(crystal, cells_of(table, crystal), table.periodic);
      // A thickness that separates no layers is an error for any measurement.
      if (table.layer_thickness) lattice::layers_of(geometry, table.layer_thickness);
      return geometry;
    });
  });
  apply_alloy(tables.alloy, perfect);
  return perfect;
}

spins::SiteMoments site_moments(const lattice::Geometry& geometry) {
  std::vector<double> moments;
  if (geometry.is_perfect()) {
    for (const lattice::BasisAtom& atom : geometry.crystal.basis) moments.push_back(atom.moment);
    return {std::move(moments), geometry.cells()};
  }
  moments.reserve(static_cast<std::size_t>(geometry.sites()));
  for (Index site = 0; site < geometry.sites(); ++site) moments.push_back(geometry.moment(site));
  return spins::SiteMoments(std::move(moments));
}

double numbers_by_replica(const SystemTables& tables, const lattice::Geometry& geometry) {
  double numbers = 0;
  const auto add_all = [&](const auto& of_kind) {
    for (const auto& table : of_kind)
      if constexpr (std::is_same_v<std::decay_t<decltype(table)>, spins::Exchange>)
        numbers += term_located(tables.lattice, table, [&] {
          return table.numbers_of_replica(geometry, surroundings_of(tables));
        });
      else if constexpr (requires { table.numbers_of_replica(geometry); })
        numbers +=
            term_located(tables.lattice, table, [&] { return table.numbers_of_replica(geometry); });
  };
  std::apply([&](const auto&... of_kind) { (add_all(of_kind), ...); }, tables.terms);
  return numbers;
}

double replica_table_bytes(const SystemTables& tables, const lattice::Geometry& geometry,
                           Index replicas) {
  const SpinLayout layout{geometry.sites(), replicas};
  if (layout.one_replica()) return 0;
  // The numbers of each term, those of all terms together, and a copy while a table is made.
  return 3 * 8 * numbers_by_replica(tables, geometry) *
         static_cast<double>(layout.padded_replicas());
}

namespace {

template <class Table>
bool is_spread(const Table& table) {
  if constexpr (requires { table.symmetry; })
    return table.symmetry == symmetry::by_crystal;
  else
    return false;
}

/// A bond of both stencils; null if there is none.
const lattice::StencilBond* shared_bond(const spins::LoweredTerm& a, const spins::LoweredTerm& b) {
  for (const spins::StencilCoupling& one : a.stencil)
    for (const spins::StencilCoupling& other : b.stencil)
      if (same_bond(one.bond, other.bond)) return &other.bond;
  return nullptr;
}

/// Two tables that the space group spreads to one bond would add up, which nobody means.
/// @param lowered its last terms are those of the tables
template <class Table>
void refuse_shared_bonds(const std::vector<Table>& tables,
                         const std::vector<spins::LoweredTerm>& lowered) {
  const std::size_t first = lowered.size() - tables.size();
  for (std::size_t n = 0; n < tables.size(); ++n)
    for (std::size_t m = 0; m < n; ++m) {
      if (!is_spread(tables[m]) || !is_spread(tables[n])) continue;
      if (const auto* bond = shared_bond(lowered[first + m], lowered[first + n]))
        throw InputError(
            fmt::format("{}: tables {} and {} both give the bond from atom {} to atom {} at "
                        "[{}, {}, {}], because symmetry = \"crystal\" spreads them",
                        Table::name, m + 1, n + 1, bond->from, bond->to, bond->offset[0],
                        bond->offset[1], bond->offset[2]),
            tables[n].where, "keep one table for each class of bonds");
    }
}

}  // namespace

std::vector<spins::LoweredTerm> lower_terms(const SystemTables& tables,
                                            const lattice::Geometry& geometry,
                                            const spins::SiteMoments& moments) {
  const spins::TermContext context{geometry, moments, tables.context.constants,
                                   surroundings_of(tables)};
  std::vector<spins::LoweredTerm> lowered;
  const auto lower_all = [&](const auto& of_kind) {
    for (const auto& table : of_kind) {
      if constexpr (std::is_same_v<std::decay_t<decltype(table)>, spins::Dipolar>)
        if (&table != &of_kind.front())
          throw InputError("dipolar is given twice", table.where, "keep one of the tables");
      lowered.push_back(term_located(tables.lattice, table, [&] {
        if constexpr (requires { table.file; })
          if (table.file) return exchange_from_file(tables, table, geometry);
        return table.lower(context);
      }));
    }
    refuse_shared_bonds(of_kind, lowered);
    // If there are several tables of one kind, each gets its own name.
    if (of_kind.size() > 1)
      for (std::size_t n = 0; n < of_kind.size(); ++n)
        lowered[lowered.size() - of_kind.size() + n].name += "_" + std::to_string(n + 1);
  };
  std::apply([&](const auto&... of_kind) { (lower_all(of_kind), ...); }, tables.terms);
  return lowered;
}

namespace {

std::vector<spins::LoweredTerm> lowered_with_advice(const SystemTables& tables,
                                                    const lattice::Geometry& geometry,
                                                    const spins::SiteMoments& moments,
                                                    std::vector<std::string>& advice) {
  std::vector<spins::LoweredTerm> terms = lower_terms(tables, geometry, moments);
  advice = system_advice(tables, geometry, terms);
  return terms;
}

std::unique_ptr<spins::DomainDecomposition> share_sites(spins::Model& model, const Device& device,
                                                        const Communicator* sharing,
                                                        const lattice::Geometry& geometry,
                                                        bool derivatives) {
  if (sharing == nullptr) return nullptr;
  std::optional<lattice::NearestNeighbours> nearest;
  if (derivatives) nearest.emplace(geometry);
  auto slabs = std::make_unique<spins::DomainDecomposition>(*sharing, model, device,
                                                            nearest ? &*nearest : nullptr);
  model.share_by(slabs->domain());
  return slabs;
}

}  // namespace

SpinSystem::SpinSystem(const SystemTables& tables, const Device& chosen, lattice::Geometry built,
                       const ReplicaShare& replicas, const Communicator* sharing, bool derivatives)
    : System(chosen),
      geometry(std::move(built)),
      moments(site_moments(geometry)),
      model(device, geometry, lowered_with_advice(tables, geometry, moments, notes), moments,
            replicas),
      slabs(share_sites(model, device, sharing, geometry, derivatives)),
      state(device, model.layout(replicas), model.canonical()),
      units_(tables.context.units) {
  state.step.count_with(step);
}

}  // namespace larmor::study
