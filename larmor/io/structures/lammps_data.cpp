#include "larmor/io/structures/lammps_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/lammps_box.hpp"
#include "larmor/lattice/length_limits.hpp"

namespace larmor::io {
namespace {

/// The text behind `#` in a line.
TextRow comment_of(const std::string& path, const TextRow& row) {
  const std::size_t begin = row.text().find('#');
  return {path, row.line(), begin == std::string::npos ? "" : row.text().substr(begin + 1)};
}

/// Columns of a line of the section Atoms; three image flags may follow.
struct AtomStyle {
  const char* name;
  const char* columns;
  std::size_t type, position, count;
  bool has_molecule, has_charge;
};

constexpr AtomStyle style_atomic{"atomic", "id type x y z", 1, 2, 5, false, false};
constexpr AtomStyle style_charge{"charge", "id type q x y z", 1, 3, 6, false, true};
constexpr AtomStyle style_full{"full", "id molecule type q x y z", 2, 4, 7, true, true};
constexpr std::size_t image_flags = 3;

std::optional<Index> integer_of(std::string_view word) {
  Index value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

struct Atom {
  Index id;
  std::int32_t type;  ///< from 0
  Vec3<double> position, velocity;
  std::array<Index, 3> image;
  int line;
};

class DataFile {
 public:
  DataFile(const std::string& path, const TypeNames& names) : path_(path), names_(names) {
    TextRowReader reader(path);
    if (reader.next()) check_title(reader.row());
    while (reader.next()) {
      const TextRow row = without_comment(path, reader.row());
      if (row.columns() == 0) continue;
      if (const std::string name = section_name(row); !name.empty())
        begin_section(name, row, comment_of(path, reader.row()));
      else if (section_.empty())
        read_header(row);
      else
        read_section(row, comment_of(path, reader.row()));
    }
    end_ = reader.end();
    check_counts();
  }

  AtomFrame frame() {
    AtomFrame frame;
    frame.where = {path_, 1, 0, ""};
    frame.where_box = where_box_;
    atoms::NamedStructure& atoms = frame.atoms;
    atoms.cell = cell();
    atoms.box = checked_box(atoms.cell, {true, true, true}, where_box_);
    const std::array<Vec3<double>, 3>& cell = atoms.box.vectors;
    std::vector<std::size_t> order(atoms_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return atoms_[a].id < atoms_[b].id; });
    for (const std::size_t n : order) {
      const Atom& atom = atoms_[n];
      Vec3<double> position = atom.position;
      for (std::size_t d = 0; d < 3; ++d) position += static_cast<double>(atom.image[d]) * cell[d];
      frame.line.push_back(atom.line);
      if (!lattice::within_coordinate_limits(position.x) ||
          !lattice::within_coordinate_limits(position.y) ||
          !lattice::within_coordinate_limits(position.z))
        throw InputError("the image flags move the atom too far away",
                         frame.where_atom(atoms.atoms()), lattice::coordinate_limits);
      atoms.ids.push_back(atom.id);
      atoms.positions.push_back(position);
      atoms.types.push_back(atoms.type_of(element(atom.type, frame.where_atom(atoms.atoms() - 1))));
      if (!masses_.empty()) atoms.masses.push_back(masses_.at(atom.type));
      if (has_velocities_) atoms.velocities.push_back(atom.velocity);
    }
    return frame;
  }

 private:
  /// Checks the units in the first line. This line is free text, but write_data gives the units
  /// there.
  void check_title(const TextRow& row) const {
    for (std::size_t n = 0; n + 2 < row.columns(); ++n)
      if (row.word(n) == "units" && row.word(n + 1) == "=" && row.word(n + 2) != "metal")
        throw InputError("the units are " + std::string(row.word(n + 2)), row.position(n + 2),
                         "only units metal are read: Angstrom, eV and ps");
  }

  static std::string section_name(const TextRow& row) {
    std::string name;
    for (std::size_t n = 0; n < row.columns(); ++n)
      name += (n > 0 ? " " : "") + std::string(row.word(n));
    for (const char* known :
         {"Atoms", "Velocities", "Masses", "Atom Type Labels", "Pair Coeffs", "PairIJ Coeffs",
          "Bond Coeffs", "Angle Coeffs", "Dihedral Coeffs", "Improper Coeffs"})
      if (name == known) return name;
    const bool is_letter = (name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z');
    // Lines of data may begin with labels of types.
    if (is_letter && name.find_first_of("0123456789") == std::string::npos)
      throw InputError("the section '" + name + "' is not read here", row.position(0),
                       "only Masses, Atom Type Labels, Atoms and Velocities are read; no "
                       "potential here has bonds or angles");
    return "";
  }

  void begin_section(const std::string& name, const TextRow& row, const TextRow& comment) {
    section_ = name;
    if (!sections_.insert(name).second)
      throw InputError("the section " + name + " is given twice", row.position(0), "give it once");
    if (name == "Atoms" && comment.columns() > 0) style_ = named_style(comment.word(0), row);
    if (name == "Velocities") {
      if (!sections_.contains("Atoms"))
        throw InputError("the velocities come before the atoms", row.position(0),
                         "write the section Atoms first");
      has_velocities_ = true;
    }
  }

  static const AtomStyle* named_style(std::string_view name, const TextRow& row) {
    for (const AtomStyle* style : {&style_atomic, &style_charge, &style_full})
      if (name == style->name) return style;
    throw InputError(
        "the atoms are of style " + std::string(name), row.position(0),
        "styles atomic (id type x y z), charge (id type q x y z) and full (id molecule "
        "type q x y z) are read");
  }

  bool is_type(std::string_view word) const {
    for (const auto& [type, label] : label_)
      if (word == label) return true;
    const std::optional<Index> type = integer_of(word);
    return type && *type >= 1 && *type <= types_;
  }

  /// If the heading does not name the style, the first line of the section determines it. Two
  /// styles that are not read have lines as long as those of charge and full: molecular (id
  /// molecule type x y z) and sphere (id type diameter density x y z).
  const AtomStyle* style_of(const TextRow& row) const {
    const bool is_long = row.columns() >= 6;
    const bool may_be_molecular = is_long && is_type(row.word(2));
    const bool may_be_sphere = is_long && !has_bonds_ && is_type(row.word(1));
    switch (row.columns()) {
      case style_atomic.count:
      case style_atomic.count + image_flags:
        return &style_atomic;
      case style_charge.count:
      case style_charge.count + image_flags:
        if (may_be_molecular) break;
        return &style_charge;
      case style_full.count:
      case style_full.count + image_flags:
        if (may_be_sphere || !may_be_molecular) break;
        return &style_full;
      default:
        throw InputError(
            "the line has " + std::to_string(row.columns()) + " columns",
            row.position(row.columns()),
            "write lines of the style atomic, charge or full, and name this style: Atoms # full");
    }
    throw InputError(
        "the line has " + std::to_string(row.columns()) + " columns, as in several atom styles",
        row.position(0),
        "name the style behind the heading: Atoms # " +
            std::string(is_long && row.columns() % 3 == 0 ? "charge" : "full"));
  }

  void read_header(const TextRow& row) {
    const auto ends_with = [&](const std::vector<std::string_view>& words) {
      if (row.columns() < words.size()) return false;
      const std::size_t first = row.columns() - words.size();
      for (std::size_t n = 0; n < words.size(); ++n)
        if (row.word(first + n) != words[n]) return false;
      return true;
    };
    if (ends_with({"xlo", "xhi"})) return read_edge(row, 0);
    if (ends_with({"ylo", "yhi"})) return read_edge(row, 1);
    if (ends_with({"zlo", "zhi"})) return read_edge(row, 2);
    if (ends_with({"xy", "xz", "yz"})) {
      if (row.columns() != 6)
        throw InputError("the line gives " + std::to_string(row.columns() - 3) + " of 3 tilts",
                         row.position(0), "write three numbers, then xy xz yz");
      for (std::size_t n = 0; n < 3; ++n) tilt_[n] = row.real(n, std::string(row.word(3 + n)));
      return;
    }
    const std::vector<std::string_view> vectors{"avec", "bvec", "cvec"};
    for (std::size_t d = 0; d < 3; ++d)
      if (ends_with({vectors[d]})) return read_vector(row, d);
    if (ends_with({"abc", "origin"})) return;  // The origin of a periodic box changes nothing.
    if (ends_with({"atom", "types"})) {
      types_ = row.integer(0, "the number of atom types");
      if (types_ < 1 || types_ > std::numeric_limits<std::int32_t>::max())
        throw InputError("the number of atom types is " + std::string(row.word(0)), row.position(0),
                         "write a number from 1 to 2147483647");
    } else if (row.columns() == 2 && row.word(1) == "atoms") {
      count_ = row.integer(0, "the number of atoms");
      if (count_ < 1 || count_ > std::numeric_limits<std::int32_t>::max())
        throw InputError("the number of atoms is " + std::string(row.word(0)), row.position(0),
                         "write a number from 1 to 2147483647");
    } else if (row.columns() == 3 && row.word(2) == "types" && integer_of(row.word(0))) {
      has_bonds_ = has_bonds_ || row.word(0) != "0";
    } else if (row.columns() < 2 || row.word(0) != "0") {
      // Lines such as "0 bonds" are allowed, as they count nothing.
      throw InputError(
          "this line of the header is not read here", row.position(0),
          "only atoms, atom types and the box are read; no potential here has bonds or angles");
    }
  }

  void read_edge(const TextRow& row, std::size_t d) {
    row.require_columns(4, "low high xlo xhi");
    where_box_ = row.position(0);
    const double low = row.real(0, "the lower edge"), high = row.real(1, "the upper edge");
    if (!(high > low))
      throw InputError("the box has no extent along " + std::string(1, "xyz"[d]), row.position(0),
                       "write the lower edge, then the upper one");
    edge_[d] = high - low;
  }

  void read_vector(const TextRow& row, std::size_t d) {
    row.require_columns(4, "x y z " + std::string(row.word(row.columns() - 1)));
    where_box_ = row.position(0);
    vector_[d] = {row.real(0, "x"), row.real(1, "y"), row.real(2, "z")};
    has_vectors_ = true;
  }

  std::array<Vec3<double>, 3> cell() const {
    if (has_vectors_) return vector_;
    return {{{edge_[0], 0, 0}, {tilt_[0], edge_[1], 0}, {tilt_[1], tilt_[2], edge_[2]}}};
  }

  void read_section(const TextRow& row, const TextRow& comment) {
    if (section_ == "Atoms") return read_atom(row);
    if (section_ == "Velocities") return read_velocity_of_atom(row);
    if (section_ == "Atom Type Labels") {
      row.require_columns(2, "type label");
      if (!label_.emplace(read_number_of_type(row, 0), std::string(row.word(1))).second)
        throw InputError("the type " + std::string(row.word(0)) + " has two labels",
                         row.position(0), "keep one of the two lines");
    }
    if (section_ == "Masses") {
      row.require_columns(2, "type mass");
      const std::int32_t type = read_type(row, 0);
      if (!masses_.emplace(type, read_mass(row, 1)).second)
        throw InputError("the type " + std::string(row.word(0)) + " has two masses",
                         row.position(0), "keep one of the two lines");
      if (comment.columns() > 0) comment_[type] = std::string(comment.word(0));
    }
  }

  void read_atom(const TextRow& row) {
    if (style_ == nullptr) style_ = style_of(row);
    const std::size_t count = style_->count;
    row.require_columns(count, style_->columns);
    if (row.columns() != count && row.columns() != count + image_flags)
      throw InputError(
          "the line has " + std::to_string(row.columns()) + " columns", row.position(count),
          "write " + std::string(style_->columns) + ", optionally with three image flags");
    Atom atom{row.integer(0, "the id"),
              read_type(row, style_->type),
              read_position(row, style_->position),
              {},
              {},
              row.line()};
    if (style_->has_molecule) row.integer(1, "the molecule");
    if (style_->has_charge) row.real(style_->position - 1, "the charge");
    for (std::size_t d = 0; d < 3 && row.columns() > count; ++d)
      atom.image[d] = row.integer(count + d, "the image flag");
    if (!place_.emplace(atom.id, atoms_.size()).second)
      throw InputError("the atom " + std::to_string(atom.id) + " is given twice", row.position(0),
                       "give each atom a different id");
    atoms_.push_back(atom);
  }

  void read_velocity_of_atom(const TextRow& row) {
    row.require_columns(4, "id vx vy vz");
    const auto place = place_.find(row.integer(0, "the id"));
    if (place == place_.end())
      throw InputError("there is no atom " + std::string(row.word(0)), row.position(0),
                       "give velocities only for atoms of the section Atoms");
    if (!moving_.insert(place->first).second)
      throw InputError("the atom " + std::string(row.word(0)) + " has two velocities",
                       row.position(0), "keep one of the two lines");
    atoms_[place->second].velocity = read_velocity(row, 1);
  }

  /// Reads a type: a number from 1, or a label. @returns number from 0
  std::int32_t read_type(const TextRow& row, std::size_t column) const {
    for (const auto& [type, label] : label_)
      if (row.word(column) == label) return type;
    return read_number_of_type(row, column);
  }

  /// Reads a type that is a number from 1. @returns number from 0
  std::int32_t read_number_of_type(const TextRow& row, std::size_t column) const {
    const Index type = row.integer(column, "the type");
    if (type < 1 || type > types_)
      throw InputError("there is no type " + std::to_string(type), row.position(column),
                       "the header counts " + std::to_string(types_) + " atom types");
    return static_cast<std::int32_t>(type - 1);
  }

  void check_counts() const {
    if (static_cast<Index>(atoms_.size()) != count_)
      throw InputError("the file has " + std::to_string(atoms_.size()) +
                           " atoms, and its header says " + std::to_string(count_),
                       end_, "correct the number in the header, or add the missing atoms");
    if (!has_vectors_ && std::count(edge_.begin(), edge_.end(), 0.0) > 0)
      throw InputError("the header does not give the box", end_,
                       "write xlo xhi, ylo yhi and zlo zhi");
    if (has_velocities_ && moving_.size() != atoms_.size())
      throw InputError("the file has velocities of only " + std::to_string(moving_.size()) +
                           " of " + std::to_string(count_) + " atoms",
                       end_, "give a velocity for every atom");
    if (!masses_.empty() && static_cast<Index>(masses_.size()) != types_)
      throw InputError("there are " + std::to_string(masses_.size()) + " masses for " +
                           std::to_string(types_) + " atom types",
                       end_, "give a mass for every type");
  }

  std::string element(std::int32_t type, const SourcePosition& where) const {
    const auto n = static_cast<std::size_t>(type);
    if (const auto given = names_.given_name(n, where)) return *given;
    if (const auto label = label_.find(type); label != label_.end()) return label->second;
    // Comments may be any text.
    if (const auto comment = comment_.find(type);
        comment != comment_.end() && atoms::find_element(comment->second) != nullptr)
      return comment->second;
    if (const auto mass = masses_.find(type); mass != masses_.end())
      if (const atoms::Element* found = atoms::find_element_by_mass(mass->second))
        return std::string(found->symbol);
    return names_.other_name(n, where);
  }

  std::string path_;
  const TypeNames& names_;
  SourcePosition end_, where_box_;
  std::string section_;
  std::set<std::string> sections_;
  Index count_ = 0, types_ = 0;
  const AtomStyle* style_ = nullptr;  ///< null before the style is determined
  bool has_bonds_ = false;            ///< does the header count types of bonds?
  std::array<double, 3> edge_{}, tilt_{};
  std::array<Vec3<double>, 3> vector_{};
  bool has_vectors_ = false, has_velocities_ = false;
  std::map<std::int32_t, std::string> label_, comment_;
  std::map<std::int32_t, double> masses_;
  std::vector<Atom> atoms_;
  std::map<Index, std::size_t> place_;  ///< place of each id among the atoms
  std::set<Index> moving_;
};

}  // namespace

namespace {

/// Mass of each type; 0 if it is unknown.
std::vector<double> masses_of_types(const atoms::NamedStructure& atoms) {
  std::vector<double> masses(atoms.species.size());
  for (std::size_t i = 0; i < atoms.masses.size(); ++i) {
    const auto type = static_cast<std::size_t>(atoms.types[i]);
    if (masses[type] != 0 && masses[type] != atoms.masses[i])
      throw InputError("atoms of " + atoms.species[type] + " have the masses " +
                           number_text(masses[type]) + " and " + number_text(atoms.masses[i]) +
                           ", and LAMMPS has one mass per type",
                       "give isotopes different names");
    masses[type] = atoms.masses[i];
  }
  for (std::size_t type = 0; type < masses.size(); ++type)
    if (const atoms::Element* element = atoms::find_element(atoms.species[type]);
        masses[type] == 0 && element != nullptr)
      masses[type] = element->mass;
  return masses;
}

std::string box_text(const LammpsBox& box) {
  std::string text;
  if (box.is_general()) {
    for (std::size_t d = 0; d < 3; ++d) {
      append_vector(text, box.vectors[d]);
      text += std::string(" ") + "abc"[d] + "vec\n";
    }
    return text + "0 0 0 abc origin\n";
  }
  const double edge[3] = {box.vectors[0].x, box.vectors[1].y, box.vectors[2].z};
  for (std::size_t d = 0; d < 3; ++d) {
    append_number(text += "0 ", edge[d]);
    text += std::string(" ") + "xyz"[d] + "lo " + "xyz"[d] + "hi\n";
  }
  if (!box.is_tilted()) return text;
  const auto [xy, xz, yz] = box.tilt();
  append_vector(text, {xy, xz, yz});
  return text + " xy xz yz\n";
}

}  // namespace

std::string lammps_data_text(const AtomFrame& frame) {
  const atoms::NamedStructure& atoms = frame.atoms;
  const auto id_of = [&](std::size_t i) {
    return std::to_string(atoms.ids.empty() ? static_cast<Index>(i) + 1 : atoms.ids[i]);
  };
  std::string text = "atoms in units = metal\n\n" + std::to_string(atoms.atoms()) + " atoms\n" +
                     std::to_string(atoms.species.size()) + " atom types\n\n" +
                     box_text(lammps_box(atoms));
  const std::vector<double> masses = masses_of_types(atoms);
  const bool has_masses = std::count(masses.begin(), masses.end(), 0.0) == 0;
  text += has_masses ? "\nMasses\n\n" : "\nAtom Type Labels\n\n";
  for (std::size_t type = 0; type < masses.size(); ++type) {
    text += std::to_string(type + 1) + ' ';
    if (has_masses) append_number(text, masses[type]), text += "  # ";
    text += atoms.species[type] + '\n';
  }
  text += "\nAtoms  # atomic\n\n";
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    append_vector(text += id_of(i) + ' ' + std::to_string(atoms.types[i] + 1) + ' ',
                  atoms.positions[i]);
    text += '\n';
  }
  if (!atoms.velocities.empty()) text += "\nVelocities\n\n";
  for (std::size_t i = 0; i < atoms.velocities.size(); ++i) {
    append_vector(text += id_of(i) + ' ', atoms.velocities[i]);
    text += '\n';
  }
  return text;
}

AtomFrame read_lammps_data(const std::string& path, const TypeNames& names) {
  return DataFile(path, names).frame();
}

}  // namespace larmor::io
