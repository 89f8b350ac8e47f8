#include "larmor/imports/vampire/vampire.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/bonds.hpp"
#include "larmor/imports/lattice_places.hpp"
#include "larmor/imports/ordering_scan.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/imports/vampire/simulation.hpp"
#include "larmor/imports/vampire/unit_cell.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::imports {
namespace vampire {
namespace {

constexpr const char* program = "Vampire";
constexpr const char* convention_note =
    "Vampire and Larmor count each pair once, H = - sum_<ij> J_ij S_i.S_j, with J in joules: J of "
    "the study is that of the files";
/// An open lattice may differ from whole cells by this share of a cell.
constexpr double whole_cells = 1e-3;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

BondConvention convention_of(std::vector<std::string> atoms) {
  return {program, "J", 1 / codata_2018.e, 0.5, std::move(atoms)};
}

/// A crystal with its couplings, and the materials of its atoms.
struct System {
  lattice::Crystal crystal;
  std::vector<int> material;  ///< for each basis atom, counted from 0
  std::vector<SourceMark> atom_marks;
  SourceMark cell_mark;
  std::vector<Bond> bonds;  ///< each pair once, J
  std::string type;         ///< name of the lattice; empty: a cell of its own
  BondConvention convention;
};

std::vector<std::string> names_of_atoms(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < count; ++n) names.push_back("atom " + std::to_string(n));
  return names;
}

/// Multiplies couplings of a unit cell by the exchange-matrix of the two materials.
void scale_by_materials(const UnitCell& cell, const Materials& materials, std::vector<Bond>& rows) {
  for (Bond& row : rows) {
    const auto material = [&](std::size_t end) {
      return cell.atoms[static_cast<std::size_t>(row.atoms[end])].material;
    };
    const auto found = materials.exchange.find({material(0), material(1)});
    if (found == materials.exchange.end())
      throw InputError(fmt::format("the materials {} and {} have no exchange-matrix",
                                   material(0) + 1, material(1) + 1),
                       row.where.position(),
                       fmt::format("write material[{}]:exchange-matrix[{}] in joules",
                                   material(0) + 1, material(1) + 1));
    row.A = found->second.J * row.A;
  }
}

/// @param materials null: a unit cell without materials
System system_of(const UnitCell& cell, const Materials* materials,
                 std::vector<std::string>& notes) {
  System system;
  system.crystal.name = "given";
  system.crystal.cell = cell.cell;
  system.cell_mark = cell.cell_mark;
  for (const UnitCellAtom& atom : cell.atoms) {
    const auto number = static_cast<std::size_t>(atom.material);
    if (materials != nullptr && number >= materials->all.size())
      throw InputError(
          fmt::format("the atom has material {}, but there are {}", number, materials->all.size()),
          atom.where.position(),
          "materials are counted from 0 in the unit cell, and from 1 in the material "
          "file");
    const Material* const material = materials ? &materials->all[number] : nullptr;
    system.crystal.basis.push_back(
        {atom.fractional, material ? material->species : "material" + std::to_string(number + 1),
         material ? material->moment.inner : 1.0});
    system.material.push_back(atom.material);
    system.atom_marks.push_back(atom.where);
  }
  with_lattice_places(system.cell_mark, system.atom_marks.front(),
                      [&] { lattice::validate(system.crystal); });
  system.convention = convention_of(names_of_atoms(cell.atoms.size()));
  std::vector<Bond> rows = cell.rows;
  if (cell.normalised) {
    if (materials == nullptr)
      throw InputError("couplings of this unit cell are factors of the exchange-matrix",
                       cell.rows[0].where.position(),
                       "name the file `input`, which names the material file too");
    scale_by_materials(cell, *materials, rows);
  } else if (materials != nullptr && !materials->exchange.empty()) {
    notes.emplace_back(
        "exchange-matrix is not needed, because the unit cell has its own couplings");
  }
  system.bonds = each_pair_once(rows, system.convention, notes);
  if (system.bonds.empty())
    throw InputError("all couplings of the unit cell are zero", cell.rows[0].where.position(),
                     "name a unit cell with couplings");
  if (cell.of_old_tb2j)
    notes.emplace_back(
        "warning: the unit cell looks like one that TB2J wrote before version 0.7, with J half as "
        "large as Vampire needs; compare with exchange.out");
  return system;
}

/// A lattice that Vampire knows by its name, with couplings of nearest neighbours.
System named_system(const Keywords& input, const SourceMark& file, const Materials& materials) {
  const std::vector<std::string> known{"sc", "bcc", "fcc"};
  const Keyword* const structure = input.find("create:crystal-structure");
  const SourceMark where = structure != nullptr ? structure->where : file;
  System system;
  system.type = structure != nullptr ? structure->value : "sc";
  if (std::find(known.begin(), known.end(), system.type) == known.end())
    throw InputError("the crystal structure " + system.type + " is not supported", where.position(),
                     hint_and_list(system.type, known, "Larmor reads") +
                         "; write any other crystal into a unit-cell file");
  if (materials.all.size() > 1)
    throw InputError("a named crystal structure has several materials", where.position(),
                     "write the atoms of each material into a unit-cell file");
  const Keyword* const edge = input.find("dimensions:unit-cell-size");
  if (edge == nullptr)
    throw InputError("dimensions:unit-cell-size is missing", file.position(),
                     "write dimensions:unit-cell-size = 3.54 !A");
  const Quantity a = quantity_of(*edge, Dimension::length, "A");
  if (a.inner <= 0)
    throw InputError("the unit cell has no size", edge->value_mark.position(),
                     "write a positive length");
  const auto exchange = materials.exchange.find({0, 0});
  if (exchange == materials.exchange.end() || exchange->second.J == 0)
    throw InputError("the material has no exchange-matrix", materials.file_mark.position(),
                     "write material[1]:exchange-matrix[1] = 11.2e-21 in joules");
  system.crystal = lattice::named_crystal(system.type, a.inner);
  with_lattice_places(edge->value_mark, edge->value_mark,
                      [&] { lattice::validate(system.crystal); });
  system.cell_mark = edge->where;
  for (lattice::BasisAtom& atom : system.crystal.basis) {
    atom.species = materials.all[0].species;
    atom.moment = materials.all[0].moment.inner;
    system.material.push_back(0);
    system.atom_marks.push_back(where);
  }
  system.convention = convention_of(names_of_atoms(system.crystal.basis.size()));
  const lattice::Geometry geometry = lattice::make_lattice(system.crystal, {3, 3, 3}, {true});
  for (const lattice::StencilBond& bond : lattice::stencil_by_shell(geometry, 1, {}))
    system.bonds.push_back({{bond.from, bond.to},
                            bond.offset,
                            spins::isotropic(exchange->second.J),
                            exchange->second.where});
  return system;
}

// --- [lattice] -----------------------------------------------------------------------------------

std::array<bool, 3> periodic_directions(const Keywords& input) {
  std::array<bool, 3> periodic{};
  constexpr std::array<const char*, 3> names{"x", "y", "z"};
  for (std::size_t d = 0; d < 3; ++d)
    periodic[d] = input.find("create:periodic-boundaries-" + std::string(names[d])) != nullptr;
  if (const Keyword* all = input.find("create:periodic-boundaries"))
    for (std::size_t d = 0; d < 3; ++d)
      if (all->value.empty() || all->value.find(names[d]) != std::string::npos) periodic[d] = true;
  return periodic;
}

bool is_orthogonal(const std::array<Vec3<double>, 3>& cell) {
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>&a = cell[d], &b = cell[(d + 1) % 3];
    if (std::abs(dot(a, b)) > 1e-6 * length(a) * length(b)) return false;
  }
  return true;
}

/// Adds `size` and `periodic`: the edges of the sample in cells.
void add_size(const Keywords& input, const SourceMark& file, const System& system, Value& lattice,
              std::vector<std::string>& notes) {
  const std::array<bool, 3> periodic = periodic_directions(input);
  Value::Array size, boundaries;
  SourceMark first;
  bool rounded = false;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string name = std::string("dimensions:system-size-") + "xyz"[d];
    const Keyword* edge = input.find(name);
    if (edge == nullptr) edge = input.find("dimensions:system-size");
    if (edge == nullptr)
      throw InputError(name + " is missing", file.position(), "write " + name + " = 10 !nm");
    const double cells =
        quantity_of(*edge, Dimension::length, "A").inner / length(system.crystal.cell[d]);
    const double whole = std::max(1.0, std::round(cells));
    if (!(cells > 0 && cells < 1e6))
      throw InputError("the edge of the sample is not possible", edge->value_mark.position(),
                       "write a length, in Angstrom unless a unit follows: 10 !nm");
    const bool differs = std::abs(cells - whole) > whole_cells;
    rounded = rounded || differs;
    if (!periodic[d] && differs)
      throw InputError(fmt::format("the edge is {:.6g} cells, and this boundary is open", cells),
                       edge->value_mark.position(),
                       fmt::format("Larmor cuts no cells: write {:.8g} !A, or make the boundary "
                                   "periodic",
                                   whole * length(system.crystal.cell[d])));
    if (!periodic[d] && !is_orthogonal(system.crystal.cell))
      throw InputError("an open boundary of an oblique cell is not supported",
                       edge->value_mark.position(),
                       "make all boundaries periodic by create:periodic-boundaries");
    size.push_back(placed(Value(static_cast<Index>(whole)), edge->where));
    boundaries.emplace_back(periodic[d]);
    if (d == 0) first = edge->where;
  }
  if (rounded) notes.emplace_back("edges of the sample become the nearest whole numbers of cells");
  set_placed(lattice, "size", Value(size), first);
  lattice.set("periodic", Value(boundaries));
}

Value lattice_table(const System& system) {
  Value table = placed(Value(), system.cell_mark);
  const auto set = [&](const char* key, Value value, const SourceMark& where) {
    table.set(key, placed(std::move(value), where), where);
  };
  const SourceMark& atoms = system.atom_marks.front();
  Value::Array basis, species, moment;
  for (std::size_t a = 0; a < system.crystal.basis.size(); ++a) {
    const lattice::BasisAtom& atom = system.crystal.basis[a];
    basis.push_back(placed(vector_value(atom.fractional), system.atom_marks[a]));
    species.push_back(placed(atom.species, system.atom_marks[a]));
    moment.push_back(placed(number_text(atom.moment) + " muB", system.atom_marks[a]));
  }
  if (!system.type.empty()) {
    set("type", system.type, atoms);
    set("constant", number_text(length(system.crystal.cell[0])) + " A", system.cell_mark);
    set("species", Value(Value::Array{species[0]}), atoms);
    set("moment", Value(Value::Array{moment[0]}), atoms);
    return table;
  }
  Value::Array cell;
  for (const Vec3<double>& a : system.crystal.cell) cell.push_back(vector_value(a));
  set("constant", Value("1 A"), system.cell_mark);
  set("cell", Value(cell), system.cell_mark);
  set("basis", Value(basis), atoms);
  set("species", Value(species), atoms);
  set("moment", Value(moment), atoms);
  return table;
}

// --- other tables --------------------------------------------------------------------------------

void add_couplings(const System& system, Value& study) {
  if (system.type.empty()) return add_bonds(system.bonds, "J", study);
  const SourceMark& where = system.bonds[0].where;
  Value table = placed(Value(), where);
  set_placed(table, "J", Value(number_text(system.bonds[0].A.row[0].x) + " J"), where);
  set_placed(table, "shell", Value(1), where);
  set_placed(study, "exchange", Value(Value::Array{table}), where);
}

void add_anisotropies(const Materials& materials, Value& study) {
  Value::Array uniaxial, cubic;
  const auto table_of = [](const Material& material, const char* key, const Quantity& strength,
                           const SourceMark& where) {
    Value table = placed(Value(), where);
    set_placed(table, key, Value(strength.text), where);
    if (std::string_view(key) == "K") set_placed(table, "axis", vector_value(material.axis), where);
    set_placed(table, "species", material.species, where);
    return table;
  };
  for (const Material& material : materials.all) {
    if (material.anisotropy)
      uniaxial.push_back(table_of(material, "K", *material.anisotropy, material.anisotropy_mark));
    if (material.half_cubic)
      cubic.push_back(table_of(material, "K4", *material.half_cubic, material.cubic_mark));
  }
  for (auto& [name, tables] : {std::pair("anisotropy", &uniaxial), {"cubic-anisotropy", &cubic}}) {
    if (tables->empty()) continue;
    const SourceMark where = tables->front().source_mark();
    set_placed(study, name, Value(std::move(*tables)), where);
  }
}

void add_initial(const System& system, const Materials& materials, Value& study) {
  const auto material = [&](std::size_t atom) -> const Material& {
    return materials.all[static_cast<std::size_t>(system.material[atom])];
  };
  const SourceMark& where = material(0).direction_mark;
  Value table = placed(Value(), where);
  Value::Array directions;
  bool aligned = true;
  for (std::size_t atom = 0; atom < system.material.size(); ++atom) {
    const Material& of = material(atom);
    if (of.direction.has_value() != material(0).direction.has_value())
      throw InputError("only some materials begin with random spins", of.direction_mark.position(),
                       "give all materials directions, or random for all");
    if (!of.direction) continue;
    aligned = aligned && *of.direction == *material(0).direction;
    directions.push_back(placed(vector_value(*of.direction), of.direction_mark));
  }
  const bool random = directions.empty();
  set_placed(table, "state", Value(random ? "random" : aligned ? "aligned" : "sublattices"), where);
  if (!random && aligned) table.set("direction", directions[0], where);
  if (!random && !aligned) set_placed(table, "directions", Value(std::move(directions)), where);
  study.set("initial", table, where);
}

Value dampings(const System& system, const Materials& materials) {
  Value::Array values;
  SourceMark where = materials.all[0].damping_mark;
  bool equal = true;
  for (const int material : system.material) {
    const Material& of = materials.all[static_cast<std::size_t>(material)];
    equal =
        equal && of.damping == materials.all[static_cast<std::size_t>(system.material[0])].damping;
    values.push_back(placed(Value(of.damping), of.damping_mark));
  }
  if (equal) values.resize(1);
  return placed(Value(std::move(values)), where);
}

// --- files ---------------------------------------------------------------------------------------

/// A file that `input` names, in the folder of `input`.
std::string file_of(const Keyword& keyword, const std::string& input) {
  if (keyword.value.empty())
    throw InputError(keyword.name + " names no file", keyword.where.position(), "write its name");
  const std::filesystem::path path(keyword.value);
  const std::string found = path.is_absolute()
                                ? path.string()
                                : (std::filesystem::path(input).parent_path() / path).string();
  std::error_code error;
  if (!std::filesystem::exists(found, error))
    throw InputError("there is no file " + found, keyword.value_mark.position(),
                     "name a file, relative to the folder of `input`");
  return found;
}

void add_notes(const System& system, const spins::MeanFieldTemperature& T_c,
               std::vector<std::string>& notes) {
  for (std::string& note : notes_on(system.bonds, T_c, system.convention))
    notes.push_back(std::move(note));
}

Import read_input(const std::string& path) {
  const SourceMark file = TextLines(path).file_mark();
  Import import{program, placed(Value(), file), {convention_note}};
  std::vector<std::string>& notes = import.notes;
  const Keywords input(read_keywords(path), notes);
  for (const Keyword& keyword : input.all())
    if (keyword.first || keyword.second)
      throw InputError("a keyword of one material stands in the file `input`",
                       keyword.where.position(), "write it into the material file");
  const Keyword* const material_file = input.find("material:file");
  if (material_file == nullptr)
    throw InputError("material:file is missing", file.position(), "write material:file = name.mat");
  const Materials materials = read_materials(file_of(*material_file, path), notes);
  const Keyword* const cell_file = input.find("material:unit-cell-file");
  const System system =
      cell_file != nullptr ? system_of(read_unit_cell(file_of(*cell_file, path)), &materials, notes)
                           : named_system(input, file, materials);
  add_notes(system, mean_field_temperature(system.bonds, system.crystal, system.convention.eV),
            notes);

  Value& study = import.study;
  study.set("title", Value("From the input of Vampire"));
  study.set("units", Value("material"));
  Value lattice = lattice_table(system);
  add_size(input, file, system, lattice, notes);
  study.set("lattice", lattice, system.cell_mark);
  add_couplings(system, study);
  add_anisotropies(materials, study);
  add_initial(system, materials, study);
  add_simulation(input, file, dampings(system, materials), study, notes);
  return import;
}

Import read_bare_cell(const std::string& path) {
  const UnitCell cell = read_unit_cell(path);
  Import import{program, placed(Value(), cell.file_mark), {convention_note}};
  const System system = system_of(cell, nullptr, import.notes);
  const spins::MeanFieldTemperature T_c =
      mean_field_temperature(system.bonds, system.crystal, system.convention.eV);
  add_notes(system, T_c, import.notes);
  import.notes.emplace_back(
      "a unit cell has no moments: each is 1 muB; Monte Carlo without a field does not depend on "
      "them");
  Value& study = import.study;
  study.set("title", Value("Couplings of a unit cell of Vampire"));
  study.set("units", Value("material"));
  Value lattice = lattice_table(system);
  add_usual_size(system.bonds, lattice);
  study.set("lattice", lattice, system.cell_mark);
  add_couplings(system, study);
  add_ordering_scan(T_c.value, system.bonds[0].where, import);
  return import;
}

}  // namespace
}  // namespace vampire

bool is_vampire_input(const std::string& path) {
  const std::string ending = vampire::ending_of(path);
  if (ending == ".ucf" || ending == ".mat") return true;
  io::TextRowReader reader(path);
  try {
    while (reader.next())
      if (reader.row().columns() > 0 && reader.row().word(0)[0] != '#')
        return vampire::is_keyword_line(reader.row().text());
  } catch (const InputError&) {  // not a text
  }
  return false;
}

Import read_vampire(const std::string& path, const ImportOptions&) {
  const std::string ending = vampire::ending_of(path);
  if (ending == ".ucf") return vampire::read_bare_cell(path);
  if (ending == ".mat")
    throw InputError("'" + path + "' describes materials, and no crystal",
                     "name the file `input` that names it");
  return vampire::read_input(path);
}

}  // namespace larmor::imports
