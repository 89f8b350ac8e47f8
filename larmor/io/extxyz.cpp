#include "larmor/io/extxyz.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "larmor/core/input/suggest.hpp"
#include "larmor/core/maths/unit_vector.hpp"
#include "larmor/io/text_rows.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::io {
namespace {

using lattice::Geometry;

/// The value of a key of the second line and where it begins.
struct Entry {
  std::string value;
  SourcePosition where;
};
using Entries = std::map<std::string, Entry>;

/// Between the numbers of a list, in quotes or in nested brackets.
constexpr const char* list_separators = " \t,[]{}";

/// Cuts `key=value key="several words" flag`; brackets quote too. Flags, that is free text, are
/// skipped.
class EntryParser {
 public:
  explicit EntryParser(const TextRow& row) : row_(row), text_(row.text()) {}

  Entries parse() {
    Entries entries;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      const std::string key = until(" \t=");
      if (at_ == text_.size() || text_[at_] != '=') continue;
      const SourcePosition where = row_.position_of_byte(++at_);
      if (!entries.emplace(key, Entry{value(), where}).second)
        throw InputError(key + " is given twice", where, "keep one of them");
    }
    return entries;
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  std::string until(const char* stops) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(stops, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string value() {
    const std::string openings = "\"'[{";
    const std::string closings = "\"']}";
    const std::size_t quote = at_ < text_.size() ? openings.find(text_[at_]) : std::string::npos;
    if (quote == std::string::npos) return until(" \t");
    const std::size_t begin = at_ + 1;
    const std::size_t end = closing(openings[quote], closings[quote]);
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  /// The byte that closes what opens here; brackets nest, a backslash hides one character.
  std::size_t closing(char open, char close) const {
    int depth = 1;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == close) {
        if (open == close || --depth == 0) return i;
      } else if (text_[i] == open) {
        ++depth;
      }
    }
    throw InputError("the quotation does not end", row_.position_of_byte(at_),
                     std::string("close it with ") + close);
  }

  const TextRow& row_;
  const std::string& text_;
  std::size_t at_ = 0;
};

/// Which column holds what.
struct Columns {
  std::size_t species, position;
  std::optional<std::size_t> moment;
  std::string moment_name;
  std::size_t count;
  std::string names;  ///< "species pos(3) spin(3)"
};

struct Property {
  std::string name;
  std::string type;
  std::size_t first, width;
};

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

std::vector<Property> parse_properties(const Entry& entry) {
  const std::vector<std::string> parts = split(entry.value, ":");
  std::vector<Property> properties;
  std::size_t column = 0;
  for (std::size_t i = 0; i + 2 < parts.size(); i += 3) {
    std::size_t width = 0;
    std::from_chars(parts[i + 2].data(), parts[i + 2].data() + parts[i + 2].size(), width);
    const bool known = parts[i + 1].size() == 1 && std::string("SRIL").find(parts[i + 1]) < 4;
    if (!known || width < 1 || width > 1000) break;
    properties.push_back({parts[i], parts[i + 1], column, width});
    column += width;
  }
  if (properties.empty() || 3 * properties.size() != parts.size())
    throw InputError("Properties is not a list of name:type:columns", entry.where,
                     "for example Properties=species:S:1:pos:R:3; types are S, R, I and L");
  return properties;
}

const Property* find(const std::vector<Property>& properties, const std::string& name) {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&](const Property& p) { return p.name == name; });
  return found == properties.end() ? nullptr : &*found;
}

const Property& require(const std::vector<Property>& properties, const std::string& name,
                        const std::string& type, std::size_t width, const SourcePosition& where) {
  const Property* found = find(properties, name);
  if (found != nullptr && found->type == type && found->width == width) return *found;
  const std::string wanted = name + ":" + type + ":" + std::to_string(width);
  throw InputError("Properties lacks " + wanted, where, "the columns must include " + wanted);
}

Columns find_columns(const Entry& entry) {
  const std::vector<Property> properties = parse_properties(entry);
  Columns columns{};
  columns.species = require(properties, "species", "S", 1, entry.where).first;
  columns.position = require(properties, "pos", "R", 3, entry.where).first;
  for (const char* name : {"moment", "magmom", "magmoms", "initial_magmoms"}) {
    if (find(properties, name) == nullptr) continue;
    if (columns.moment)
      throw InputError("the columns " + columns.moment_name + " and " + name + " are both moments",
                       entry.where, "keep one of them");
    columns.moment = require(properties, name, "R", 1, entry.where).first;
    columns.moment_name = name;
  }
  for (const Property& p : properties)
    columns.names += (columns.names.empty() ? "" : " ") + p.name +
                     (p.width > 1 ? "(" + std::to_string(p.width) + ")" : "");
  columns.count = properties.back().first + properties.back().width;
  return columns;
}

std::array<Vec3<double>, 3> parse_cell(const Entry& entry) {
  const std::vector<std::string> words = split(entry.value, list_separators);
  if (words.size() != 9)
    throw InputError("Lattice has " + std::to_string(words.size()) + " of 9 numbers", entry.where,
                     "give the three vectors of the cell one after the other");
  std::array<double, 9> number{};
  for (std::size_t i = 0; i < 9; ++i) number[i] = parse_real(words[i], "Lattice", entry.where);
  std::array<Vec3<double>, 3> cell{};
  for (std::size_t d = 0; d < 3; ++d)
    cell[d] = {number[3 * d], number[3 * d + 1], number[3 * d + 2]};
  try {
    lattice::validate({"", cell, {{{0, 0, 0}, "", 1}}, 3, {}});
  } catch (const InputError& error) {
    throw InputError(error.problem(), entry.where, error.remedy());
  }
  return cell;
}

std::array<bool, 3> parse_boundaries(const Entry& entry) {
  const std::vector<std::string> words = split(entry.value, list_separators);
  const std::vector<std::string> yes{"T", "True", "true", "TRUE", "1"};
  const std::vector<std::string> no{"F", "False", "false", "FALSE", "0"};
  const auto one_of = [](const std::vector<std::string>& known, const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  std::array<bool, 3> periodic{};
  bool good = words.size() == 3;
  for (std::size_t d = 0; good && d < 3; ++d) {
    periodic[d] = one_of(yes, words[d]);
    good = periodic[d] || one_of(no, words[d]);
  }
  if (!good)
    throw InputError("pbc is not three of T and F", entry.where, "for example pbc=\"T T F\"");
  return periodic;
}

/// A cube of the extent of the positions, as unit of open directions without a Lattice.
std::array<Vec3<double>, 3> enclosing_cube(const std::vector<Vec3<double>>& positions) {
  Vec3<double> low = positions[0], high = positions[0];
  for (const Vec3<double>& r : positions) {
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  const Vec3<double> extent = high - low;
  const double widest = std::max({extent.x, extent.y, extent.z});
  const double a = widest > 0 ? widest : 1;
  return {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}};
}

/// Cell and boundaries of the second line; the cell is left to `enclosing_cube` without a Lattice.
std::optional<std::array<Vec3<double>, 3>> read_box(const Entries& entries, Geometry& geometry) {
  const auto cell = entries.find("Lattice");
  const bool has_cell = cell != entries.end();
  geometry.periodic = {has_cell, has_cell, has_cell};
  const auto pbc = entries.find("pbc");
  if (pbc != entries.end()) geometry.periodic = parse_boundaries(pbc->second);
  if (has_cell) return parse_cell(cell->second);
  if (geometry.periodic != std::array<bool, 3>{false, false, false})
    throw InputError("the positions are periodic, but there is no Lattice", pbc->second.where,
                     "give Lattice=\"ax ay az bx by bz cx cy cz\"");
  return std::nullopt;
}

Index read_count(TextRowReader& reader) {
  if (!reader.next() || reader.row().columns() == 0)
    throw InputError("the file does not begin with the number of atoms", reader.end(),
                     "extended XYZ: the number of atoms, a line of keys, one line an atom");
  const TextRow& row = reader.row();
  const Index atoms = row.integer(0, "the number of atoms");
  if (atoms < 1 || atoms > std::numeric_limits<std::int32_t>::max() || row.columns() > 1)
    throw InputError("the first line is not a number of atoms", row.position(0),
                     "write a number from 1 to 2147483647, alone on the line");
  return atoms;
}

double read_moment(const TextRow& row, const Columns& columns) {
  if (!columns.moment) return 1;
  const double moment = row.real(*columns.moment, columns.moment_name);
  if (moment <= 0)
    throw InputError(columns.moment_name + " is not positive", row.position(*columns.moment),
                     "give the size of the moment in mu_B; directions come with the initial state");
  return moment;
}

double read_coordinate(const TextRow& row, std::size_t column, const std::string& name) {
  const double value = row.real(column, name);
  // Beyond, no distance between atoms is anything but rounding.
  constexpr double farthest = 1e15;
  if (std::abs(value) > farthest)
    throw InputError(name + " is " + std::string(row.word(column)) + ", too far away",
                     row.position(column), "coordinates lie between -1e15 and 1e15");
  return value;
}

/// The line of atom `i`. @throws InputError where the file ends before it
const TextRow& next_atom(TextRowReader& reader, Index i, Index atoms) {
  if (!reader.next())
    throw InputError(
        "the file ends after " + std::to_string(i) + " of " + std::to_string(atoms) + " atoms",
        reader.end(), "check the number of atoms on the first line");
  return reader.row();
}

/// One line an atom: positions returned, species and moments into the basis.
std::vector<Vec3<double>> read_atoms(TextRowReader& reader, Index atoms, const Columns& columns,
                                     std::vector<lattice::BasisAtom>& basis) {
  std::vector<Vec3<double>> positions;
  for (Index i = 0; i < atoms; ++i) {
    const TextRow& row = next_atom(reader, i, atoms);
    row.require_columns(columns.count, columns.names);
    if (row.columns() > columns.count)
      throw InputError("the line has more than " + std::to_string(columns.count) + " columns",
                       row.position(columns.count),
                       "the columns are " + columns.names + "; name further ones in Properties");
    const std::size_t x = columns.position;
    positions.push_back({read_coordinate(row, x, "x"), read_coordinate(row, x + 1, "y"),
                         read_coordinate(row, x + 2, "z")});
    basis.push_back({{}, std::string(row.word(columns.species)), read_moment(row, columns)});
  }
  return positions;
}

/// Two atoms nearer than a small part of the mean distance are one, given twice. Without a cell
/// there is no such distance: atoms may lie in clusters far apart, and only what is left of
/// coordinates that are rounded counts.
void refuse_coincident(const Geometry& geometry, bool has_cell, const std::string& path) {
  constexpr double of_distance = 1e-4, of_coordinate = 1e-7;
  const auto& cell = geometry.crystal.cell;
  const double volume = std::abs(dot(cell[0], cross(cell[1], cell[2])));
  const double tolerance = of_distance * std::cbrt(volume / static_cast<double>(geometry.sites()));
  const auto is_one = [&](const lattice::PairBond& pair) {
    return has_cell ||
           length(pair.r) <= of_coordinate * std::max(length(geometry.position(pair.i)),
                                                      length(geometry.position(pair.j)));
  };
  const std::optional<lattice::PairBond> found =
      lattice::find_pair_within(geometry, tolerance, is_one);
  if (!found) return;
  const auto line = [](Index site) { return static_cast<int>(site) + 3; };
  throw InputError("the atom is at the place of the one on line " + std::to_string(line(found->i)),
                   SourcePosition{path, line(found->j), 0, ""},
                   "remove one of them; periodic images count as one place");
}

/// @param columns behind species and positions
std::string header(const Geometry& geometry, const std::string& columns,
                   const std::optional<double>& time) {
  std::string text = std::to_string(geometry.spins()) + "\nLattice=\"";
  for (std::size_t d = 0; d < 3; ++d) {
    if (d > 0) text += ' ';
    append_vector(text, static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d]);
  }
  text += "\" Properties=species:S:1:pos:R:3:" + columns + " pbc=\"";
  for (std::size_t d = 0; d < 3; ++d)
    text += std::string(d > 0 ? " " : "") + (geometry.periodic[d] ? "T" : "F");
  text += '"';
  if (time) append_number(text += " Time=", *time);
  return text + '\n';
}

void append_atom(std::string& text, const Geometry& geometry, Index site,
                 const Vec3<double>& spin) {
  append_vector(text += geometry.species(site) + ' ', geometry.position(site));
  append_vector(text += ' ', spin);
  append_number(text += ' ', geometry.moment(site));
  text += '\n';
}

void check_frame(const Geometry& geometry, std::size_t spins) {
  if (static_cast<Index>(spins) != geometry.sites())
    throw InternalError("a frame has " + std::to_string(spins) + " spins for " +
                        std::to_string(geometry.sites()) + " sites");
}

void check_species(const Geometry& geometry) {
  const auto check_name = [](const std::string& name) {
    if (name.empty() || name.find_first_of(" \t\r\n\f\v") != std::string::npos)
      throw InputError("the species \"" + name + "\" cannot be written to extended XYZ",
                       "use a name without blanks");
  };
  for (const lattice::BasisAtom& atom : geometry.crystal.basis) check_name(atom.species);
  for (const lattice::Substitute& other : geometry.substitutes) check_name(other.species);
}

}  // namespace

Geometry read_extxyz(const std::string& path) {
  TextRowReader reader(path);
  const Index atoms = read_count(reader);
  if (!reader.next())
    throw InputError("the line of keys is missing", reader.end(),
                     "write Lattice=\"..\" Properties=species:S:1:pos:R:3, or an empty line");
  Geometry geometry;
  geometry.plain_positions = true;
  geometry.crystal.name = "positions";
  const Entries entries = EntryParser(reader.row()).parse();
  const auto cell = read_box(entries, geometry);
  const auto properties = entries.find("Properties");
  const Columns columns = find_columns(
      properties != entries.end() ? properties->second
                                  : Entry{"species:S:1:pos:R:3", reader.row().position(0)});
  const std::vector<Vec3<double>> positions =
      read_atoms(reader, atoms, columns, geometry.crystal.basis);
  geometry.crystal.cell = cell ? *cell : enclosing_cube(positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    geometry.crystal.basis[i].fractional = geometry.crystal.fractional(positions[i]);
  refuse_coincident(geometry, cell.has_value(), path);
  return geometry;
}

std::vector<Vec3<double>> read_extxyz_spins(const std::string& path, Index count) {
  TextRowReader reader(path);
  const Index atoms = read_count(reader);
  if (atoms != count)
    throw InputError("the file has " + std::to_string(atoms) + " atoms, the lattice " +
                         std::to_string(count) + " spins",
                     reader.row().position(0),
                     "give every spin of the lattice, vacancies left out");
  if (!reader.next())
    throw InputError("the line of keys is missing", reader.end(),
                     "write Properties=species:S:1:pos:R:3:spin:R:3");
  const Entries entries = EntryParser(reader.row()).parse();
  const auto entry = entries.find("Properties");
  if (entry == entries.end())
    throw InputError("there is no Properties, so no column of spins", reader.row().position(0),
                     "write Properties=species:S:1:pos:R:3:spin:R:3");
  const std::vector<Property> properties = parse_properties(entry->second);
  const std::size_t x = require(properties, "spin", "R", 3, entry->second.where).first;
  const std::size_t columns = properties.back().first + properties.back().width;
  std::vector<Vec3<double>> spins;
  for (Index i = 0; i < atoms; ++i) {
    const TextRow& row = next_atom(reader, i, atoms);
    row.require_columns(columns, entry->second.value);
    const Vec3<double> e{row.real(x, "spin x"), row.real(x + 1, "spin y"),
                         row.real(x + 2, "spin z")};
    if (e == Vec3<double>{0, 0, 0})
      throw InputError("the spin has no direction", row.position(x),
                       "give a vector that is not zero");
    // What was written as a unit vector comes back bit for bit.
    spins.push_back(std::abs(dot(e, e) - 1) < 1e-12 ? e : unit_vector(e));
  }
  return spins;
}

void write_extxyz(const std::string& path, const Geometry& geometry,
                  std::span<const ExtxyzFrame> frames, IfExists if_exists) {
  for (const ExtxyzFrame& frame : frames) check_frame(geometry, frame.spins.size());
  check_species(geometry);
  WholeFile file(path, if_exists);
  for (const ExtxyzFrame& frame : frames) {
    file.write(header(geometry, "spin:R:3:moment:R:1", frame.time));
    std::string text;
    for (Index site = 0; site < geometry.sites(); ++site) {
      if (!geometry.occupied(site)) continue;
      text.clear();
      append_atom(text, geometry, site, frame.spins[static_cast<std::size_t>(site)]);
      file.write(text);
    }
  }
  file.finish();
}

void write_extxyz_states(const std::string& path, const Geometry& geometry, const std::string& name,
                         std::span<const std::vector<std::int64_t>> frames, IfExists if_exists) {
  for (const std::vector<std::int64_t>& frame : frames) check_frame(geometry, frame.size());
  check_species(geometry);
  WholeFile file(path, if_exists);
  for (const std::vector<std::int64_t>& frame : frames) {
    file.write(header(geometry, name + ":I:1", std::nullopt));
    std::string text;
    for (Index site = 0; site < geometry.sites(); ++site) {
      text = geometry.species(site) + ' ';
      append_vector(text, geometry.position(site));
      file.write(text + ' ' + std::to_string(frame[static_cast<std::size_t>(site)]) + '\n');
    }
  }
  file.finish();
}

}  // namespace larmor::io
