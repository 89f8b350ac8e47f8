#include "larmor/imports/crystal_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "larmor/core/error.hpp"
#include "larmor/imports/cif.hpp"
#include "larmor/imports/lattice_places.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/io/structures/atom_frames.hpp"
#include "larmor/symmetry/coupling_tables.hpp"

namespace larmor::imports {
namespace {

/// Elements whose ions often have spins.
constexpr const char* with_moments[] = {"Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Mo", "Ru",
                                        "Rh", "Re", "Os", "Ir", "Ce", "Pr", "Nd", "Sm", "Eu", "Gd",
                                        "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "U",  "Np", "Pu"};
/// About how many sites the lattice of a study gets.
constexpr double sites_of_study = 1000;
/// Bonds up to this multiple of the nearest distance get tables in the notes.
constexpr double reach_of_tables = 1.5;
constexpr double farthest_cell = 1e6;

std::shared_ptr<const SourceText> source_of(const std::string& path) {
  auto source = std::make_shared<SourceText>();
  source->file = path;
  std::istringstream lines(io::read_text(path));
  for (std::string line; std::getline(lines, line);) source->lines.push_back(line);
  return source;
}

CrystalFile read_frame(const std::string& path) {
  const io::StructureFormat format = io::structure_format(path);
  const std::optional<io::AtomFrame> frame = io::StructureReader(path, {}).next();
  if (!frame) throw InputError("'" + path + "' has no atoms", "give a file with a crystal");
  const atoms::NamedStructure& atoms = frame->atoms;
  const auto& periodic = atoms.box.periodic;
  int dimensions = 0;
  while (dimensions < 3 && periodic[static_cast<std::size_t>(dimensions)]) ++dimensions;
  const bool repeats = dimensions > 0 && std::ranges::count(periodic, true) == dimensions;
  if (!atoms.cell || !repeats)
    throw InputError("the atoms do not repeat along the first vectors of a cell", frame->where_box,
                     "give a cell that is periodic in all directions, or in the first one or two");
  CrystalFile file;
  file.program = format == io::StructureFormat::poscar   ? "POSCAR"
                 : format == io::StructureFormat::extxyz ? "extended XYZ"
                                                         : "LAMMPS";
  file.title = std::filesystem::path(path).filename().string();
  file.crystal.name = "given";
  file.crystal.cell = atoms.box.vectors;
  file.crystal.dimensions = dimensions;
  const auto source = source_of(path);
  file.of_cell = {source, frame->where_box.line, 1};
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    file.crystal.basis.push_back({file.crystal.fractional(atoms.positions[i]),
                                  atoms.species[static_cast<std::size_t>(atoms.types[i])], 1});
    file.marks.push_back({source, i < frame->line.size() ? frame->line[i] : 0, 1});
    const Vec3<double>& f = file.crystal.basis.back().fractional;
    if (!(std::max({std::abs(f.x), std::abs(f.y), std::abs(f.z)}) <= farthest_cell))
      throw InputError("the atom is more than a million cells away", file.marks.back().position(),
                       "give the position of the same atom in the cell at the origin");
  }
  return file;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> species_of(const lattice::Crystal& crystal) {
  std::vector<std::string> names;
  for (const lattice::BasisAtom& atom : crystal.basis)
    if (std::ranges::find(names, atom.species) == names.end()) names.push_back(atom.species);
  return names;
}

Value rounded_vector(const Vec3<double>& v, const SourceMark& mark) {
  // Rounding errors of zeros and of the digits of files are not shown.
  const auto shown = [](double x) { return Value(std::round(x * 1e10) / 1e10 + 0.0); };
  return placed(Value(Value::Array{shown(v.x), shown(v.y), shown(v.z)}), mark);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

bool is_crystal(const std::string& path) {
  if (is_cif(path)) return true;
  const auto format = io::format_of_name(path);
  return format == io::StructureFormat::poscar || format == io::StructureFormat::extxyz;
}

CrystalFile read_crystal(const std::string& path) {
  CrystalFile file = is_cif(path) ? read_cif_crystal(path) : read_frame(path);
  const SourceMark& of_atoms = file.marks.empty() ? file.of_cell : file.marks.front();
  with_lattice_places(file.of_cell, of_atoms, [&] { lattice::validate(file.crystal); });
  return file;
}

SpinCrystal with_spins(const CrystalFile& file, const std::vector<std::string>& species) {
  const std::vector<std::string> known = species_of(file.crystal);
  for (const std::string& name : species)
    if (std::ranges::find(known, name) == known.end())
      throw InputError("the crystal has no species \"" + name + "\"",
                       "its species are " + list_of(known));
  std::vector<std::string> chosen = species;
  SpinCrystal out;
  const bool by_moment = species.empty() && !file.moments.empty();
  if (chosen.empty())
    for (const std::string& name : known)
      if (std::ranges::find(with_moments, name) != std::end(with_moments)) chosen.push_back(name);
  if (chosen.empty()) chosen = known;
  out.crystal = file.crystal;
  out.crystal.basis.clear();
  for (std::size_t i = 0; i < file.crystal.basis.size(); ++i) {
    lattice::BasisAtom atom = file.crystal.basis[i];
    const double moment = file.moments.empty() ? 0 : length(file.moments[i]);
    const bool has_spin =
        by_moment ? moment > 1e-6 : std::ranges::find(chosen, atom.species) != chosen.end();
    if (!has_spin) {
      atom.moment = 0;
      out.surroundings.atoms.push_back(atom);
      continue;
    }
    if (moment > 1e-6) atom.moment = std::round(moment * 1e6) / 1e6;
    out.crystal.basis.push_back(atom);
    out.numbers.push_back(i);
    if (!file.moments.empty()) out.moments.push_back(file.moments[i]);
  }
  if (out.crystal.basis.empty())
    throw InputError("all moments of the file are 0", file.of_cell.position(),
                     "name the species with spins");
  out.choice = fmt::format("{} have spins{}", list_of(species_of(out.crystal)),
                           by_moment          ? ", because the file gives their moments"
                           : !species.empty() ? ""
                           : chosen == known  ? ", because no species is known to be magnetic"
                                              : ", because these elements are often magnetic");
  return out;
}

Import study_of(const CrystalFile& file, const SpinCrystal& spins) {
  Import import;
  import.program = file.program;
  Value lattice;
  const lattice::Crystal& crystal = spins.crystal;
  Value::Array cell, basis, species, moment, others, other_species, directions, size;
  for (const Vec3<double>& a : crystal.cell) cell.push_back(rounded_vector(a, file.of_cell));
  bool has_moments = !spins.moments.empty();
  std::size_t next = 0;
  for (std::size_t n = 0; n < spins.numbers.size(); ++n) {
    const std::size_t i = spins.numbers[n];
    basis.push_back(rounded_vector(crystal.basis[n].fractional, file.marks[i]));
    species.push_back(placed(crystal.basis[n].species, file.marks[i]));
    if (has_moments && length(spins.moments[n]) <= 1e-6) has_moments = false;
  }
  for (std::size_t n = 0; has_moments && n < spins.numbers.size(); ++n) {
    moment.push_back(
        placed(fmt::format("{:.6g} mu_B", crystal.basis[n].moment), file.marks[spins.numbers[n]]));
    directions.push_back(rounded_vector((1 / length(spins.moments[n])) * spins.moments[n],
                                        file.marks[spins.numbers[n]]));
  }
  for (std::size_t i = 0; i < file.crystal.basis.size(); ++i) {
    if (next < spins.numbers.size() && spins.numbers[next] == i) {
      ++next;
      continue;
    }
    others.push_back(rounded_vector(file.crystal.basis[i].fractional, file.marks[i]));
    other_species.push_back(placed(file.crystal.basis[i].species, file.marks[i]));
  }
  const double cells = std::max(1.0, sites_of_study / static_cast<double>(spins.numbers.size()));
  const auto edge = std::max<Index>(
      2, static_cast<Index>(std::lround(std::pow(cells, 1.0 / crystal.dimensions))));
  for (int d = 0; d < crystal.dimensions; ++d) size.push_back(edge);
  const auto set = [&](Value& table, const char* key, Value::Array values, const SourceMark& mark) {
    set_placed(table, key, Value(std::move(values)), mark);
  };
  const SourceMark& of_first = file.marks.at(spins.numbers.front());
  set(lattice, "cell", cell, file.of_cell);
  lattice.set("constant", "1 Angstrom");
  lattice.set("size", Value(size));
  set(lattice, "basis", basis, of_first);
  set(lattice, "species", species, of_first);
  if (has_moments) set(lattice, "moment", moment, of_first);
  if (!others.empty()) {
    set(lattice, "other_atoms", others, of_first);
    set(lattice, "other_species", other_species, of_first);
  }
  import.study.set("title", file.title);
  import.study.set("units", "material");
  import.study.set("lattice", lattice);
  if (has_moments) {
    Value initial;
    initial.set("state", "sublattices");
    set(initial, "directions", directions, of_first);
    import.study.set("initial", initial);
  }
  import.notes = file.notes;
  import.notes.push_back(spins.choice);
  if (!has_moments)
    import.notes.push_back("the moments are unknown: `moment` of [lattice] is 1 mu_B unless given");
  import.notes.push_back(
      "couplings are missing: the symmetry allows the following tables, where "
      "numbers replace the letters, and `larmor symmetry` lists more");
  const std::vector<symmetry::BondOrbit> orbits = with_lattice_places(file.of_cell, of_first, [&] {
    const symmetry::SpaceGroup group = symmetry::space_group(crystal, spins.surroundings);
    return symmetry::orbits_within(group, crystal,
                                   reach_of_tables * symmetry::nearest_spins(crystal));
  });
  for (const symmetry::BondOrbit& orbit : orbits)
    for (const std::string& line :
         split_lines(symmetry::exchange_table(orbit, symmetry::material_zero)))
      import.notes.push_back("  " + line);
  return import;
}

bool is_poscar(const std::string& path) {
  return io::format_of_name(path) == io::StructureFormat::poscar;
}

Import read_poscar(const std::string& path, const ImportOptions&) {
  const CrystalFile file = read_crystal(path);
  return study_of(file, with_spins(file, {}));
}

}  // namespace larmor::imports
