#include "larmor/io/structures/atom_frames.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/atoms/cell/units.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/extxyz_frames.hpp"
#include "larmor/io/structures/lammps_data.hpp"
#include "larmor/io/structures/lammps_dump.hpp"
#include "larmor/io/structures/poscar.hpp"

namespace larmor::io {
namespace {

namespace fs = std::filesystem;

/// Keys and columns that this program writes from its results. If the input file has them, their
/// values are not copied to the output.
const std::set<std::string> own_keys{"Lattice",     "Properties", "pbc",   "energy",
                                     "free_energy", "stress",     "virial"};
const std::set<std::string> own_columns{"forces", "force", "energies", "stresses", "bispectrum"};

bool is_whole_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<StructureFormat> format_of_content(const std::string& path) {
  // Headers of LAMMPS data files are shorter than this.
  constexpr int header_lines = 40;
  TextRowReader reader(path);
  std::vector<std::size_t> columns;
  bool begins_with_number = false;
  for (int n = 0; n < header_lines && reader.next(); ++n) {
    const TextRow& row = reader.row();
    columns.push_back(row.columns());
    if (row.columns() > 0 && row.word(0) == "ITEM:") return StructureFormat::lammps_dump;
    if (n == 0) begins_with_number = row.columns() == 1 && is_whole_number(row.word(0));
    if (n > 0 && row.columns() >= 2 && is_whole_number(row.word(0)) && row.word(1) == "atoms")
      return StructureFormat::lammps_data;
  }
  const bool has_vectors =
      columns.size() > 5 && columns[2] == 3 && columns[3] == 3 && columns[4] == 3;
  if (has_vectors && (columns[1] == 1 || columns[1] == 3)) return StructureFormat::poscar;
  if (begins_with_number) return StructureFormat::extxyz;
  return std::nullopt;
}

/// The column with one of these names, this type and this width; null if there is none.
const ExtxyzProperty* find_column(const ExtxyzColumns& columns,
                                  const std::vector<std::string>& names, const std::string& type,
                                  std::size_t width) {
  for (const std::string& name : names) {
    const ExtxyzProperty* found = columns.find(name);
    if (found != nullptr && found->type == type && found->width == width) return found;
  }
  return nullptr;
}

/// The columns of a frame by their meaning.
struct AtomColumns {
  explicit AtomColumns(const ExtxyzColumns& all)
      : columns(all),
        species(all.require("species", "S", 1).first),
        position(all.require("pos", "R", 3).first),
        id(find_column(columns, {"id"}, "I", 1)),
        mass(find_column(columns, {"masses", "mass"}, "R", 1)),
        velocity(find_column(columns, {"velocities", "velo", "vel"}, "R", 3)),
        momentum(find_column(columns, {"momenta"}, "R", 3)) {
    for (const ExtxyzProperty& p : columns.properties()) {
      const bool is_known = &p == id || &p == mass || &p == velocity || p.first == species ||
                            p.first == position || own_columns.contains(p.name);
      if (!is_known) further.push_back(&p);
    }
  }
  AtomColumns(const AtomColumns&) = delete;
  AtomColumns& operator=(const AtomColumns&) = delete;

  ExtxyzColumns columns;
  std::size_t species, position;
  const ExtxyzProperty *id, *mass, *velocity;
  const ExtxyzProperty* momentum;  ///< column of ASE; also in `further`
  std::vector<const ExtxyzProperty*> further;
};

std::string further_values(const TextRow& row, const std::vector<const ExtxyzProperty*>& columns) {
  std::string words;
  for (const ExtxyzProperty* column : columns)
    for (std::size_t n = 0; n < column->width; ++n)
      words += (words.empty() ? "" : " ") + std::string(row.word(column->first + n));
  return words;
}

void read_atom(const TextRow& row, const AtomColumns& columns, AtomFrame& frame) {
  columns.columns.check(row);
  atoms::NamedStructure& atoms = frame.atoms;
  frame.line.push_back(row.line());
  atoms.types.push_back(atoms.type_of(row.word(columns.species)));
  atoms.positions.push_back(read_position(row, columns.position));
  if (columns.id != nullptr) atoms.ids.push_back(row.integer(columns.id->first, "the id"));
  if (columns.mass != nullptr) atoms.masses.push_back(read_mass(row, columns.mass->first));
  if (columns.velocity != nullptr)
    atoms.velocities.push_back(read_velocity(row, columns.velocity->first));
  if (!columns.further.empty())
    frame.further_values.push_back(further_values(row, columns.further));
}

void refuse_doubled_ids(const AtomFrame& frame) {
  const std::vector<Index>& ids = frame.atoms.ids;
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end()) return;
  std::map<Index, Index> known;
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const auto atom = static_cast<Index>(n);
    const auto [first, is_new] = known.emplace(ids[n], atom);
    if (!is_new)
      throw InputError("the atom " + std::to_string(ids[n]) + " is given twice, first in line " +
                           std::to_string(frame.where_atom(first->second).line),
                       frame.where_atom(atom), "give each atom a different id");
  }
}

/// Masses of the atoms, g/mol, from the structure or otherwise from the elements. Empty if one mass
/// is unknown.
std::vector<double> known_masses(const atoms::NamedStructure& atoms) {
  if (!atoms.masses.empty()) return atoms.masses;
  std::vector<double> of_type;
  for (const std::string& species : atoms.species) {
    const atoms::Element* element = atoms::find_element(species);
    if (element == nullptr) return {};
    of_type.push_back(element->mass);
  }
  std::vector<double> masses;
  for (const std::int32_t type : atoms.types)
    masses.push_back(of_type[static_cast<std::size_t>(type)]);
  return masses;
}

/// The momentum of 1 g/mol at 1 Angstrom/ps in the unit of ASE, sqrt(amu eV).
double unit_momentum() { return std::sqrt(atoms::AtomUnits::material().mass); }

/// Converts momenta to velocities. If the file has both, checks that both agree.
void read_momenta(const std::vector<Vec3<double>>& momenta, AtomFrame& frame) {
  // The tolerances are wide, because tables of masses differ and ASE writes eight decimal places.
  constexpr double relative = 1e-3, absolute = 1e-6;
  const std::vector<double> masses = known_masses(frame.atoms);
  if (masses.empty()) return;
  std::vector<Vec3<double>>& velocities = frame.atoms.velocities;
  const bool are_given = !velocities.empty();
  for (std::size_t n = 0; n < momenta.size(); ++n) {
    const double factor = masses[n] * unit_momentum();
    if (!are_given)
      velocities.push_back((1 / factor) * momenta[n]);
    else if (!(length(factor * velocities[n] - momenta[n]) <=
               absolute + relative * length(momenta[n])))
      throw InputError(
          "the velocity and the momentum of the atom disagree",
          frame.where_atom(static_cast<Index>(n)),
          "remove one of the two columns; the unit of momenta is sqrt(amu eV), as in ASE");
  }
}

/// Masses of the atoms for the output of momenta. Empty if they are unknown, or if the file has
/// momenta.
std::vector<double> masses_of_momenta(const AtomFrame& frame) {
  const bool stand_there = (":" + frame.further_columns).find(":momenta:") != std::string::npos;
  if (frame.atoms.velocities.empty() || stand_there) return {};
  return known_masses(frame.atoms);
}

AtomFrame read_frame(ExtxyzReader& reader) {
  AtomFrame frame;
  frame.where = reader.where_count();
  const ExtxyzBox box = reader.box();
  frame.where_box = box.where;
  frame.atoms.cell = box.cell;
  frame.atoms.box = checked_box(box.cell, box.periodic, box.where);
  for (const auto& [key, entry] : reader.entries())
    if (!own_keys.contains(key)) frame.further_keys += " " + entry.text;
  const AtomColumns columns(reader.columns());
  for (const ExtxyzProperty* column : columns.further)
    frame.further_columns +=
        column->name + ":" + column->type + ":" + std::to_string(column->width) + ":";
  std::vector<Vec3<double>> momenta;
  for (Index i = 0; i < reader.atoms(); ++i) {
    const TextRow& row = reader.next_atom();
    read_atom(row, columns, frame);
    if (columns.momentum != nullptr)
      momenta.push_back(read_vector(row, columns.momentum->first, "the momentum"));
  }
  if (columns.momentum != nullptr) read_momenta(momenta, frame);
  refuse_doubled_ids(frame);
  return frame;
}

}  // namespace

std::optional<StructureFormat> format_of_name(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".extxyz" || ending == ".xyz") return StructureFormat::extxyz;
  if (ending == ".poscar" || ending == ".vasp" || name.starts_with("POSCAR") ||
      name.starts_with("CONTCAR"))
    return StructureFormat::poscar;
  if (ending == ".data" || ending == ".lmp" || name.starts_with("data."))
    return StructureFormat::lammps_data;
  if (ending == ".dump" || ending == ".lammpstrj" || name.starts_with("dump."))
    return StructureFormat::lammps_dump;
  return std::nullopt;
}

StructureFormat structure_format(const std::string& path) {
  require_input_file(path);
  // A pipe can be read only once.
  if (fs::is_fifo(path))
    throw InputError("'" + path + "' is a pipe, and structures are read more than once",
                     "write the structures into a file");
  if (const auto format = format_of_name(path)) return *format;
  if (const auto format = format_of_content(path)) return *format;
  throw InputError("'" + path + "' is not an extended XYZ, LAMMPS data or dump file, or POSCAR",
                   "give the name of the file the ending .extxyz, .data, .dump or .poscar");
}

class StructureReader::Frames {
 public:
  Frames(const std::string& path, TypeNames names)
      : path_(path), names_(std::move(names)), format_(structure_format(path)) {
    if (format_ == StructureFormat::extxyz) reader_.emplace(path);
    if (format_ == StructureFormat::lammps_dump) dump_.emplace(path, names_);
  }

  std::optional<AtomFrame> next() {
    if (dump_) return next_of_dump();
    const bool is_first = !std::exchange(has_begun_, true);
    if (!reader_) {
      if (!is_first) return std::nullopt;
      return format_ == StructureFormat::poscar ? read_poscar(path_)
                                                : read_lammps_data(path_, names_);
    }
    if (is_first)
      reader_->require_frame();
    else if (!reader_->next_frame())
      return std::nullopt;
    return read_frame(*reader_);
  }

 private:
  std::optional<AtomFrame> next_of_dump() {
    const bool is_first = !std::exchange(has_begun_, true);
    std::optional<AtomFrame> frame = dump_->next();
    if (is_first && !frame)
      throw InputError("there is no frame in '" + path_ + "'", "dump at least one frame");
    return frame;
  }

  std::string path_;
  TypeNames names_;
  StructureFormat format_;
  std::optional<ExtxyzReader> reader_;
  std::optional<LammpsDumpReader> dump_;
  bool has_begun_ = false;
};

StructureReader::StructureReader(const std::string& path, TypeNames names)
    : frames_(std::make_unique<Frames>(path, std::move(names))) {}
StructureReader::~StructureReader() = default;

std::optional<AtomFrame> StructureReader::next() { return frames_->next(); }

std::string extxyz_text(const AtomFrame& frame, const std::string& keys,
                        const std::vector<AtomColumn>& columns) {
  const atoms::NamedStructure& atoms = frame.atoms;
  for (const std::string& name : atoms.species) check_species_name(name);
  std::string names;
  if (!atoms.ids.empty()) names += "id:I:1:";
  if (!atoms.masses.empty()) names += "masses:R:1:";
  if (!atoms.velocities.empty()) names += "velocities:R:3:";
  const std::vector<double> masses = masses_of_momenta(frame);
  if (!masses.empty()) names += "momenta:R:3:";
  names += frame.further_columns;
  for (const AtomColumn& column : columns)
    names += column.name + ":R:" + std::to_string(column.width) + ":";
  if (!names.empty()) names.pop_back();
  std::string text = extxyz_header(atoms.atoms(), atoms.cell ? &*atoms.cell : nullptr,
                                   atoms.box.periodic, names, keys + frame.further_keys);
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    append_vector(text += atoms.species[static_cast<std::size_t>(atoms.types[i])] + ' ',
                  atoms.positions[i]);
    if (!atoms.ids.empty()) text += ' ' + std::to_string(atoms.ids[i]);
    if (!atoms.masses.empty()) append_number(text += ' ', atoms.masses[i]);
    if (!atoms.velocities.empty()) append_vector(text += ' ', atoms.velocities[i]);
    if (!masses.empty())
      append_vector(text += ' ', (masses[i] * unit_momentum()) * atoms.velocities[i]);
    if (!frame.further_values.empty()) text += ' ' + frame.further_values[i];
    for (const AtomColumn& column : columns)
      for (std::size_t n = 0; n < column.width; ++n)
        append_number(text += ' ', column.values[i * column.width + n]);
    text += '\n';
  }
  return text;
}

std::string structure_text(StructureFormat format, const AtomFrame& frame, Index step) {
  switch (format) {
    case StructureFormat::extxyz:
      return extxyz_text(frame, "", {});
    case StructureFormat::lammps_data:
      return lammps_data_text(frame);
    case StructureFormat::lammps_dump:
      return lammps_dump_text(frame, step);
    case StructureFormat::poscar:
      return poscar_text(frame);
  }
  throw InternalError("a format of structures has no writer");
}

}  // namespace larmor::io
