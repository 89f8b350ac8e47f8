#include "larmor/study/kinds/spins/system/spin_system.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/core/located.hpp"
#include "larmor/io/extxyz.hpp"
#include "larmor/io/uppasd.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/lattice_key_error.hpp"
#include "larmor/lattice/layers.hpp"
#include "larmor/study/kinds/spins/system/alloy.hpp"
#include "larmor/study/kinds/spins/system/system_advice.hpp"

namespace larmor::study {

std::string path_of(const SystemTables& tables, const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? file : (std::filesystem::path(tables.folder) / path).string();
}

namespace {

/// An error about a key of the lattice points at its value.
/// @param whose what to say in front of it: "exchange: "
template <class Work>
auto lattice_key_located(const LatticeTable& table, const std::string& whose, const Work& work) {
  try {
    return work();
  } catch (const lattice::LatticeKeyError& error) {
    throw InputError(whose + error.problem(), table.where.of(error.key()), error.remedy());
  }
}

/// Work on one table of the Hamiltonian, to which the lattice may be too small.
template <class Term, class Work>
auto term_located(const LatticeTable& lattice, const Term& term, const Work& work) {
  return located(term.where, [&] {
    return lattice_key_located(lattice, std::string(Term::name) + ": ", work);
  });
}

template <class T>
const T& one_or_each(const std::vector<T>& values, std::size_t i) {
  return values.size() == 1 ? values[0] : values[i];
}

/// Moments and species of the lattice table onto the basis.
void set_basis_properties(const LatticeTable& table, lattice::Crystal& crystal,
                          bool moments_given_by_file) {
  const std::size_t atoms = crystal.basis.size();
  const auto check = [&](std::size_t count, const char* key) {
    if (count != 1 && count != atoms)
      throw InputError(std::string(key) + " has " + std::to_string(count) + " entries for " +
                           std::to_string(atoms) + " basis atoms",
                       table.where.of(key), "give one for all, or one for each basis atom");
  };
  if (!table.species.empty()) {
    check(table.species.size(), "species");
    for (std::size_t i = 0; i < atoms; ++i)
      crystal.basis[i].species = one_or_each(table.species, i);
  }
  if (moments_given_by_file) return;
  check(table.moment.size(), "moment");
  for (std::size_t i = 0; i < atoms; ++i) crystal.basis[i].moment = one_or_each(table.moment, i);
}

lattice::Crystal own_crystal(const SystemTables& tables) {
  const LatticeTable& table = tables.lattice;
  lattice::Crystal crystal;
  crystal.name = "given";
  for (std::size_t d = 0; d < 3; ++d) crystal.cell[d] = table.constant * (*table.cell)[d];
  crystal.dimensions = static_cast<int>(table.size.size());
  if (table.posfile) {
    crystal.basis =
        io::read_uppasd_basis(path_of(tables, *table.posfile),
                              table.momfile ? path_of(tables, *table.momfile) : "", *table.cell);
  } else {
    for (const Vec3<double>& f : table.basis) crystal.basis.push_back({f, "A", 1});
    if (table.basis.empty()) crystal.basis.push_back({{0, 0, 0}, "A", 1});
  }
  return crystal;
}

void check_lattice_keys(const LatticeTable& table) {
  const int ways =
      int(table.type.has_value()) + int(table.cell.has_value()) + int(table.file.has_value());
  if (ways != 1)
    throw InputError(ways == 0 ? "lattice says neither type nor cell nor file"
                               : "lattice says several of type, cell and file",
                     table.where.of({"type", "cell"}),
                     "give a named type, a cell of your own, or a file of positions");
  if (!table.basis.empty() && !table.cell)
    throw InputError("lattice has a basis without a cell", table.where.of("basis"),
                     "give cell = [[..], [..], [..]]");
  if (table.momfile && !table.posfile)
    throw InputError("lattice has a momfile without a posfile", table.where.of("momfile"),
                     "give the posfile too");
  if (table.posfile && (!table.cell || !table.basis.empty()))
    throw InputError("a posfile needs cell, and takes the place of basis",
                     table.where.of("posfile"), "give cell = [[..], [..], [..]] and no basis");
  if (table.posfile && !table.species.empty())
    throw InputError("lattice has both posfile and species", table.where.of("species"),
                     "remove species: the posfile's types are the species");
  if (table.file ? !table.size.empty() : table.size.empty())
    throw InputError(table.file ? "lattice has both file and size" : "lattice lacks its size",
                     table.where.of("size"),
                     table.file ? "plain positions are taken once; remove size"
                                : "give size = [..], cells along each lattice vector");
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
  if (table.file && (table.periodic != untouched.periodic || table.constant != untouched.constant))
    throw InputError("lattice has both file and periodic or constant",
                     table.where.of({"periodic", "constant"}),
                     "plain positions are taken as they are; their boundaries are pbc in the file");
  if (table.size.size() > 3)
    throw InputError("size has more than three numbers", table.where.of("size"),
                     "give one to three");
}

/// Couplings of an UppASD file, in the energy unit of the tables.
spins::LoweredTerm exchange_from_file(const SystemTables& tables, const spins::Exchange& exchange,
                                      const lattice::Geometry& geometry) {
  if (exchange.disorder > 0)
    throw InputError("exchange has a file and disorder", exchange.where,
                     "give J and the bonds of the couplings that are to be disordered");
  if (exchange.J || exchange.shell || !exchange.offset.empty() || !exchange.pairs.empty())
    throw InputError("exchange has a file and also couplings of its own", exchange.where,
                     "give either, and more [[exchange]] tables for more couplings");
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
  lattice::Geometry perfect = located(table.where, [&] {
    if (table.file) {
      lattice::Geometry geometry = io::read_extxyz(path_of(tables, *table.file));
      set_basis_properties(table, geometry.crystal, true);
      return geometry;
    }
    lattice::Crystal crystal =
        table.type ? lattice::named_crystal(*table.type, table.constant) : own_crystal(tables);
    set_basis_properties(table, crystal, table.momfile.has_value());
    return lattice_key_located(table, "", [&] {
      lattice::Geometry geometry = lattice::make_lattice(crystal, table.size, table.periodic);
      // One that tells no layers apart is wrong whatever is measured.
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
      if constexpr (requires { table.numbers_of_replica(geometry); })
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
  // Of the term, of all terms together, and once more while a table is made.
  return 3 * 8 * numbers_by_replica(tables, geometry) *
         static_cast<double>(layout.padded_replicas());
}

std::vector<spins::LoweredTerm> lower_terms(const SystemTables& tables,
                                            const lattice::Geometry& geometry,
                                            const spins::SiteMoments& moments) {
  const spins::TermContext context{geometry, moments, tables.context.constants};
  std::vector<spins::LoweredTerm> lowered;
  const auto lower_all = [&](const auto& of_kind) {
    for (const auto& table : of_kind) {
      if constexpr (std::is_same_v<std::decay_t<decltype(table)>, spins::Dipolar>)
        if (&table != &of_kind.front())
          throw InputError("dipolar is given twice", table.where, "keep one of them");
      lowered.push_back(term_located(tables.lattice, table, [&] {
        if constexpr (requires { table.file; })
          if (table.file) return exchange_from_file(tables, table, geometry);
        return table.lower(context);
      }));
    }
    // Several tables of one kind get names of their own.
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

std::unique_ptr<spins::Slabs> share_sites(spins::Model& model, const Device& device,
                                          const Communicator* sharing,
                                          const lattice::Geometry& geometry, bool derivatives) {
  if (sharing == nullptr) return nullptr;
  std::optional<lattice::NearestNeighbours> nearest;
  if (derivatives) nearest.emplace(geometry);
  auto slabs =
      std::make_unique<spins::Slabs>(*sharing, model, device, nearest ? &*nearest : nullptr);
  model.share_by(slabs->slab());
  return slabs;
}

}  // namespace

SpinSystem::SpinSystem(const SystemTables& tables, const Device& on, lattice::Geometry built,
                       const ReplicaShare& replicas, const Communicator* sharing, bool derivatives)
    : System(on),
      geometry(std::move(built)),
      moments(site_moments(geometry)),
      model(device, geometry, lowered_with_advice(tables, geometry, moments, notes), moments,
            replicas),
      slabs(share_sites(model, device, sharing, geometry, derivatives)),
      state(device, model.layout(replicas), model.canonical()) {
  state.step = step;
}

}  // namespace larmor::study
