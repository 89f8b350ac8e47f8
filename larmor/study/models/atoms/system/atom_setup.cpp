#include "larmor/study/models/atoms/system/atom_setup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::study {
namespace {

/// The largest number of atoms of a replica: a number of 32 bits counts them.
constexpr Index most_atoms = (Index{1} << 31) - 1;

AtomSetup setup_of_lattice(const AtomLatticeTable& table) {
  const lattice::Geometry geometry = with_position(table.where, [&] {
    lattice::Crystal crystal =
        table.type ? lattice::named_crystal(*table.type, table.constant) : own_crystal(table);
    set_species(table, crystal);
    return lattice_key_located(
        table, "", [&] { return lattice::make_lattice(crystal, table.size, table.periodic); });
  });
  AtomSetup setup;
  atoms::NamedStructure& structure = setup.structure;
  for (std::size_t d = 0; d < 3; ++d)
    structure.box.vectors[d] = static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d];
  structure.box.periodic = geometry.periodic;
  structure.cell = structure.box.vectors;
  for (Index site = 0; site < geometry.sites(); ++site) {
    structure.positions.push_back(geometry.position(site));
    structure.types.push_back(structure.type_of(geometry.species(site)));
  }
  setup.words = lattice_text(geometry);
  setup.where = table.where;
  return setup;
}

/// @throws InputError if the file has fewer frames
io::AtomFrame frame_with_number(const StructureTable& table, const std::string& path) {
  io::StructureReader reader(path, {table.elements, {}});
  Index frames = 0;
  for (; auto frame = reader.next(); ++frames)
    if (frames == table.frame) return std::move(*frame);
  throw InputError(fmt::format("there is no frame {} in '{}'", table.frame, path),
                   table.where.of("frame"),
                   frames == 0 ? "the file has no structure"
                               : fmt::format("it has the frames 0 to {}", frames - 1));
}

/// @throws InputError for a mistake in the file, or a structure without a volume
io::AtomFrame frame_of(const StructureTable& table, const std::string& path) {
  io::AtomFrame frame =
      with_position(table.where.of("file"), [&] { return frame_with_number(table, path); });
  if (!frame.atoms.has_volume())
    throw InputError("the structure has no cell that spans a volume", frame.where_box,
                     "also give the length of the box along open directions");
  return frame;
}

/// The masses in the file, one for each species; 0: the file has none.
/// @throws InputError if atoms of a species differ
std::vector<double> masses_of(const io::AtomFrame& frame) {
  const atoms::NamedStructure& atoms = frame.atoms;
  std::vector<double> masses(atoms.species.size(), 0);
  for (std::size_t i = 0; i < atoms.masses.size(); ++i) {
    const auto type = static_cast<std::size_t>(atoms.types[i]);
    if (masses[type] == 0) masses[type] = atoms.masses[i];
    if (masses[type] != atoms.masses[i])
      throw InputError("atoms of " + atoms.species[type] + " have different masses",
                       frame.where_atom(static_cast<Index>(i)),
                       "give atoms of different masses different names, or one mass");
  }
  return masses;
}

void repeat(atoms::NamedStructure& structure, const StructureTable& table) {
  const auto atoms = static_cast<std::size_t>(structure.atoms());
  Index copies = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (table.repeat[d] > 1 && !structure.box.periodic[d])
      throw InputError("the structure is repeated along a direction that is open",
                       table.where.of("repeat"), "give 1 in `repeat` for this direction");
    if (table.repeat[d] > most_atoms / std::max(copies, Index{1}) / structure.atoms())
      throw InputError("the repeated structure has more than 2^31 - 1 atoms",
                       table.where.of("repeat"), "repeat it less often");
    copies *= table.repeat[d];
  }
  if (copies == 1) return;
  structure.ids.clear();
  const std::array<Vec3<double>, 3> vectors = structure.box.vectors;
  for (Index z = 0; z < table.repeat[2]; ++z)
    for (Index y = 0; y < table.repeat[1]; ++y)
      for (Index x = 0; x < table.repeat[0]; ++x) {
        if (x + y + z == 0) continue;
        const Vec3<double> shift = static_cast<double>(x) * vectors[0] +
                                   static_cast<double>(y) * vectors[1] +
                                   static_cast<double>(z) * vectors[2];
        for (std::size_t i = 0; i < atoms; ++i) {
          structure.positions.push_back(structure.positions[i] + shift);
          structure.types.push_back(structure.types[i]);
        }
      }
  for (std::size_t d = 0; d < 3; ++d)
    structure.box.vectors[d] = static_cast<double>(table.repeat[d]) * vectors[d];
  structure.cell = structure.box.vectors;
}

void take_velocities(atoms::NamedStructure& structure, const AtomTables& tables) {
  if (tables.atoms.velocities != "file") return structure.velocities.clear();
  if (structure.velocities.empty())
    throw InputError("the file of the structure has no velocities",
                     tables.atoms.where.of("velocities"),
                     "give velocities = \"thermal\" and a temperature");
  if (tables.structure->repeat != std::array<Index, 3>{1, 1, 1})
    throw InputError("velocities of a file would be equal in all copies of the structure",
                     tables.atoms.where.of("velocities"),
                     "give velocities = \"thermal\", or do not repeat the structure");
}

/// Removes species without an atom. Such a species would still need a mass and a potential.
void drop_unused_species(atoms::NamedStructure& structure, std::vector<double>& masses) {
  std::vector<std::int32_t> now(structure.species.size(), -1);
  for (const std::int32_t type : structure.types) now[static_cast<std::size_t>(type)] = 0;
  std::vector<std::string> species;
  std::vector<double> used;
  for (std::size_t t = 0; t < now.size(); ++t) {
    if (now[t] < 0) continue;
    now[t] = static_cast<std::int32_t>(species.size());
    species.push_back(structure.species[t]);
    used.push_back(masses[t]);
  }
  for (std::int32_t& type : structure.types) type = now[static_cast<std::size_t>(type)];
  structure.species = std::move(species);
  masses = std::move(used);
}

AtomSetup setup_of_file(const AtomTables& tables) {
  const StructureTable& table = *tables.structure;
  AtomSetup setup;
  setup.file = path_in(tables.folder, table.file);
  io::AtomFrame frame = frame_of(table, setup.file);
  setup.molar_masses = masses_of(frame);
  setup.where = frame.where;
  setup.structure = std::move(frame.atoms);
  setup.structure.masses.clear();
  take_velocities(setup.structure, tables);
  repeat(setup.structure, table);
  drop_unused_species(setup.structure, setup.molar_masses);
  setup.words = fmt::format("{}, {} atoms", std::filesystem::path(table.file).filename().string(),
                            setup.structure.atoms());
  return setup;
}

/// Masses by element, from the table. @throws InputError for an element without an atom
std::vector<std::optional<double>> masses_of(const AtomTables& tables,
                                             const std::vector<std::string>& species) {
  std::vector<std::optional<double>> masses(species.size());
  if (!tables.atoms.masses.is_table())
    throw InputError("masses must be a table", tables.atoms.where.of("masses"),
                     "give masses = { W = \"183.84 g/mol\" }, for instance");
  for (const Value::Entry& entry : tables.atoms.masses.as_table()) {
    const auto found = std::find(species.begin(), species.end(), entry.key);
    if (found == species.end())
      throw InputError("there is no atom of '" + entry.key + "'", entry.value.where(),
                       hint_and_list(entry.key, species));
    const auto mass =
        read_value<double>(entry.value, "masses." + entry.key, Dimension::mass, tables.context);
    if (!(mass > 0))
      throw InputError("the mass of " + entry.key + " is not positive", entry.value.where(),
                       "give a positive mass");
    masses[static_cast<std::size_t>(found - species.begin())] = mass;
  }
  return masses;
}

void set_masses(AtomSetup& setup, const AtomTables& tables) {
  const std::vector<std::string>& species = setup.structure.species;
  setup.molar_masses.resize(species.size());
  const std::vector<std::optional<double>> given = masses_of(tables, species);
  for (std::size_t t = 0; t < species.size(); ++t) {
    double& mass = setup.molar_masses[t];
    const atoms::Element* const element = atoms::find_element(species[t]);
    if (given[t])
      mass = *given[t];
    else if (mass == 0 && element != nullptr)
      mass = element->mass;
    if (!(mass > 0))
      throw InputError("'" + species[t] + "' names no chemical element, so its mass is not known",
                       setup.where,
                       "give [atoms] masses = { " + species[t] + " = \"183.84 g/mol\" }");
  }
}

}  // namespace

io::AtomFrame read_structure(const StructureTable& table, const std::string& folder) {
  io::AtomFrame frame = frame_of(table, path_in(folder, table.file));
  repeat(frame.atoms, table);
  return frame;
}

const AtomSetup& setup_of(const AtomTables& tables) {
  if (tables.made == nullptr) {
    AtomSetup setup = tables.structure ? setup_of_file(tables) : setup_of_lattice(*tables.lattice);
    set_masses(setup, tables);
    tables.made = std::make_shared<const AtomSetup>(std::move(setup));
  }
  return *tables.made;
}

}  // namespace larmor::study
