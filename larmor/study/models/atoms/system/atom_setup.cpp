#include "larmor/study/models/atoms/system/atom_setup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

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
    return lattice_key_located(table, "", [&] {
      return lattice::make_lattice(crystal, cells_of(table, crystal), table.periodic);
    });
  });
  AtomSetup setup;
  atoms::NamedStructure& structure = setup.structures.emplace_back();
  for (std::size_t d = 0; d < 3; ++d)
    structure.box.vectors[d] = static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d];
  structure.box.periodic = geometry.periodic;
  structure.cell = structure.box.vectors;
  for (Index site = 0; site < geometry.sites(); ++site) {
    structure.positions.push_back(geometry.position(site));
    structure.types.push_back(structure.type_of(geometry.species(site)));
  }
  setup.words = lattice_text(geometry);
  setup.where = {table.where};
  return setup;
}

/// The frames with these numbers. Nothing: all frames. @throws InputError if the file has fewer
/// frames
std::vector<io::AtomFrame> frames_with_numbers(const StructureTable& table, const std::string& path,
                                               const std::optional<std::vector<Index>>& numbers) {
  io::StructureReader reader(path, {table.elements, {}});
  const Index last = numbers ? std::ranges::max(*numbers) : -1;
  std::vector<io::AtomFrame> read;
  std::vector<Index> number_of_read;
  Index frames = 0;
  for (; !numbers || frames <= last; ++frames) {
    auto frame = reader.next();
    if (!frame) break;
    if (numbers && std::ranges::count(*numbers, frames) == 0) continue;
    read.push_back(std::move(*frame));
    number_of_read.push_back(frames);
  }
  if (!numbers) return read;
  std::vector<io::AtomFrame> chosen;
  for (const Index number : *numbers) {
    const auto found = std::ranges::find(number_of_read, number);
    if (found == number_of_read.end())
      throw InputError(fmt::format("there is no frame {} in '{}'", number, path),
                       table.where.of({"frames", "frame"}),
                       frames == 0 ? "the file has no structure"
                                   : fmt::format("it has the frames 0 to {}", frames - 1));
    chosen.push_back(read[static_cast<std::size_t>(found - number_of_read.begin())]);
  }
  return chosen;
}

/// @param numbers as for frames_with_numbers
/// @throws InputError for a mistake in the file, or a structure without a volume
std::vector<io::AtomFrame> frames_of(const StructureTable& table, const std::string& path,
                                     const std::optional<std::vector<Index>>& numbers) {
  std::vector<io::AtomFrame> frames = with_position(
      table.where.of("file"), [&] { return frames_with_numbers(table, path, numbers); });
  for (const io::AtomFrame& frame : frames)
    if (!frame.atoms.has_volume())
      throw InputError("the structure has no cell that spans a volume", frame.where_box,
                       "also give the length of the box along open directions");
  return frames;
}

/// The numbers of the frames that `frames` gives, one for each replica. Nothing: all frames.
/// @throws InputError for another value
std::optional<std::vector<Index>> numbers_of_frames(const AtomTables& tables) {
  const StructureTable& table = *tables.structure;
  if (!table.frames) return std::vector<Index>{table.frame};
  if (table.where.has("frame"))
    throw InputError("structure has both frame and frames", table.where.of("frames"),
                     "give frame for all replicas, or frames with one for each replica");
  if (table.frames->is_string() && table.frames->as_string() == "all") return std::nullopt;
  if (!table.frames->is_array())
    throw InputError(
        "frames must be a list or \"all\", not " + std::string(table.frames->kind_text()),
        table.frames->where(), "give frames = [0, 1], for instance");
  auto numbers =
      read_value<std::vector<Index>>(*table.frames, "frames", Dimension::none, tables.context);
  for (const Index number : numbers)
    if (number < 0)
      throw InputError("frames has the number " + std::to_string(number), table.frames->where(),
                       "give numbers of 0 or more");
  if (numbers.empty())
    throw InputError("frames is an empty list", table.frames->where(),
                     "give the number of a structure for each replica");
  return numbers;
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
void drop_unused_species(std::vector<atoms::NamedStructure>& structures,
                         std::vector<double>& masses) {
  const std::vector<std::string> all = structures.front().species;
  std::vector<std::int32_t> now(all.size(), -1);
  for (const atoms::NamedStructure& structure : structures)
    for (const std::int32_t type : structure.types) now[static_cast<std::size_t>(type)] = 0;
  std::vector<std::string> species;
  std::vector<double> used;
  for (std::size_t t = 0; t < now.size(); ++t) {
    if (now[t] < 0) continue;
    now[t] = static_cast<std::int32_t>(species.size());
    species.push_back(all[t]);
    used.push_back(masses[t]);
  }
  for (atoms::NamedStructure& structure : structures) {
    for (std::int32_t& type : structure.types) type = now[static_cast<std::size_t>(type)];
    structure.species = species;
  }
  masses = std::move(used);
}

/// Gives all structures one list of species. @param masses of each species of the list, 0 if a file
/// has none @throws InputError if frames give a species different masses
void join_species(const std::vector<io::AtomFrame>& frames, AtomSetup& setup) {
  atoms::NamedStructure all;
  for (std::size_t n = 0; n < frames.size(); ++n) {
    const std::vector<double> own = masses_of(frames[n]);
    atoms::NamedStructure& structure = setup.structures[n];
    std::vector<std::int32_t> joined;
    for (std::size_t t = 0; t < structure.species.size(); ++t) {
      joined.push_back(all.type_of(structure.species[t]));
      setup.molar_masses.resize(all.species.size());
      double& mass = setup.molar_masses[static_cast<std::size_t>(joined.back())];
      if (mass > 0 && own[t] > 0 && mass != own[t])
        throw InputError(
            "atoms of " + structure.species[t] + " have different masses in the frames",
            frames[n].where, "give atoms of different masses different names, or one mass");
      if (own[t] > 0) mass = own[t];
    }
    for (std::int32_t& type : structure.types) type = joined[static_cast<std::size_t>(type)];
  }
  for (atoms::NamedStructure& structure : setup.structures) structure.species = all.species;
}

AtomSetup setup_of_file(const AtomTables& tables) {
  const StructureTable& table = *tables.structure;
  AtomSetup setup;
  setup.file = path_in(tables.folder, table.file);
  std::vector<io::AtomFrame> frames = frames_of(table, setup.file, numbers_of_frames(tables));
  if (table.frames && std::ssize(frames) != tables.replicas)
    throw InputError(
        fmt::format("frames gives {} structures for replicas = {}", frames.size(), tables.replicas),
        table.where.of("frames"),
        fmt::format("give one structure for each replica, or replicas = {}", frames.size()));
  for (const io::AtomFrame& frame : frames) {
    setup.where.push_back(frame.where);
    setup.structures.push_back(frame.atoms);
    setup.structures.back().masses.clear();
    take_velocities(setup.structures.back(), tables);
  }
  join_species(frames, setup);
  for (atoms::NamedStructure& structure : setup.structures) repeat(structure, table);
  drop_unused_species(setup.structures, setup.molar_masses);
  const std::string name = std::filesystem::path(table.file).filename().string();
  setup.words = setup.structures_differ()
                    ? fmt::format("{}, {} structures, {} atoms", name, setup.structures.size(),
                                  setup.atoms_before(tables.replicas))
                    : fmt::format("{}, {} atoms", name, setup.structures.front().atoms());
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
  const std::vector<std::string>& species = setup.species();
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
                       setup.where.front(),
                       "give [atoms] masses = { " + species[t] + " = \"183.84 g/mol\" }");
  }
}

}  // namespace

bool AtomSetup::has_equal_numbers() const {
  return std::ranges::all_of(structures, [&](const atoms::NamedStructure& structure) {
    return structure.atoms() == structures.front().atoms();
  });
}

bool AtomSetup::has_equal_atoms() const {
  return std::ranges::all_of(structures, [&](const atoms::NamedStructure& structure) {
    return structure.types == structures.front().types;
  });
}

Index AtomSetup::atoms_before(Index replica) const {
  if (!structures_differ()) return replica * structures.front().atoms();
  Index atoms = 0;
  for (Index r = 0; r < replica; ++r) atoms += of(r).atoms();
  return atoms;
}

Index AtomSetup::most_atoms() const { return most_atoms_of(1); }

Index AtomSetup::most_atoms_of(Index replicas) const {
  if (!structures_differ()) return replicas * structures.front().atoms();
  std::vector<Index> numbers;
  for (const atoms::NamedStructure& structure : structures) numbers.push_back(structure.atoms());
  std::ranges::sort(numbers, std::greater());
  numbers.resize(std::min(numbers.size(), static_cast<std::size_t>(replicas)));
  return std::accumulate(numbers.begin(), numbers.end(), Index{0});
}

bool AtomSetup::has_single_atom() const {
  return std::ranges::any_of(
      structures, [](const atoms::NamedStructure& structure) { return structure.atoms() == 1; });
}

bool AtomSetup::is_periodic() const {
  return std::ranges::all_of(structures, [](const atoms::NamedStructure& structure) {
    return structure.box.periodic == std::array{true, true, true};
  });
}

io::AtomFrame read_structure(const StructureTable& table, const std::string& folder) {
  io::AtomFrame frame =
      std::move(frames_of(table, path_in(folder, table.file), {{table.frame}}).front());
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
