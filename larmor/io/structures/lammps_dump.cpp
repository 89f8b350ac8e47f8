#include "larmor/io/structures/lammps_dump.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/lammps_box.hpp"

namespace larmor::io {
namespace {

/// Places of three columns such as x y z.
using Columns = std::array<std::size_t, 3>;

/// The columns of a frame by their meaning.
class DumpColumns {
 public:
  /// @param row "ITEM: ATOMS id type ..."
  explicit DumpColumns(const TextRow& row) : width_(row.columns() - 2) {
    for (std::size_t n = 2; n < row.columns(); ++n)
      if (!place_.emplace(row.word(n), n - 2).second)
        throw InputError("the column " + std::string(row.word(n)) + " is given twice",
                         row.position(n), "give it once");
    id = find("id");
    type = find("type");
    element = find("element");
    mass = find("mass");
    velocity = find_three({"vx", "vy", "vz"}, row);
    for (const auto& [names, scaled, unwrapped] : {std::tuple(Names{"xu", "yu", "zu"}, false, true),
                                                   {Names{"xsu", "ysu", "zsu"}, true, true},
                                                   {Names{"x", "y", "z"}, false, false},
                                                   {Names{"xs", "ys", "zs"}, true, false}}) {
      if (position) break;
      position = find_three(names, row);
      is_scaled = scaled;
      if (position && !unwrapped) image = find_three({"ix", "iy", "iz"}, row);
    }
    if (!position)
      throw InputError("there are no positions among the columns", row.position(2),
                       "dump x y z, xu yu zu, xs ys zs or xsu ysu zsu");
    if (!type && !element)
      throw InputError("the columns give neither the type nor the element", row.position(2),
                       "dump one of these columns");
  }

  void check(const TextRow& row) const {
    if (row.columns() == width_) return;
    throw InputError("the line has " + std::to_string(row.columns()) + " columns", row.position(0),
                     "ITEM: ATOMS names " + std::to_string(width_));
  }

  std::optional<std::size_t> id, type, element, mass;
  std::optional<Columns> position, velocity, image;
  bool is_scaled = false;

 private:
  using Names = std::array<const char*, 3>;

  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = place_.find(std::string(name));
    return found == place_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<Columns> find_three(const Names& names, const TextRow& row) const {
    Columns columns{};
    std::size_t known = 0;
    for (std::size_t d = 0; d < 3; ++d)
      if (const auto column = find(names[d])) columns[d] = *column, ++known;
    if (known == 0) return std::nullopt;
    for (std::size_t d = 0; d < 3; ++d)
      if (!find(names[d]))
        throw InputError("the column " + std::string(names[d]) + " is missing", row.position(2),
                         "dump " + std::string(names[0]) + ' ' + names[1] + ' ' + names[2]);
    return columns;
  }

  std::size_t width_;
  std::map<std::string, std::size_t> place_;
};

Vec3<double> three_numbers(const TextRow& row, const Columns& columns, const char* name) {
  return {row.real(columns[0], std::string("the x of ") + name),
          row.real(columns[1], std::string("the y of ") + name),
          row.real(columns[2], std::string("the z of ") + name)};
}

}  // namespace

class LammpsDumpReader::Frames {
 public:
  Frames(const std::string& path, TypeNames names)
      : path_(path), names_(std::move(names)), reader_(path) {}

  std::optional<AtomFrame> next() {
    if (!next_item()) return std::nullopt;
    AtomFrame frame;
    frame.where = row().position(0);
    box_.reset();
    count_ = 0;
    bool has_step = false;
    while (!is_item("ATOMS")) {
      if (has_step && is_item("TIMESTEP"))
        throw InputError("the frame before has no atoms", row().position(0),
                         "end each frame with ITEM: ATOMS");
      has_step = has_step || is_item("TIMESTEP");
      read_item();
      if (!next_item())
        throw InputError("the file ends before the atoms of a frame", reader_.end(),
                         "end each frame with ITEM: ATOMS");
    }
    read_atoms(frame);
    return frame;
  }

 private:
  const TextRow& row() const { return reader_.row(); }

  bool is_item(std::string_view name) const { return row().columns() > 1 && row().word(1) == name; }

  /// Goes to the next line that is not blank, which must begin an item.
  bool next_item() {
    do {
      if (!reader_.next()) return false;
    } while (row().columns() == 0);
    if (row().columns() < 2 || row().word(0) != "ITEM:")
      throw InputError("'" + std::string(row().word(0)) + "' stands where an item should begin",
                       row().position(0),
                       "items are ITEM: TIMESTEP, TIME, UNITS, NUMBER OF ATOMS, BOX BOUNDS, ATOMS");
    return true;
  }

  const TextRow& next_line(const std::string& expected) {
    if (!reader_.next())
      throw InputError("the file ends where " + expected + " should stand", reader_.end(),
                       "the file is cut short: remove the last frame of the file");
    return row();
  }

  void read_item() {
    if (is_item("TIMESTEP")) {
      next_line("the step").integer(0, "the step");
    } else if (is_item("TIME")) {
      next_line("the time").real(0, "the time");
    } else if (is_item("UNITS")) {
      const TextRow& units = next_line("the units");
      units.require_columns(1, "the units");
      if (units.word(0) != "metal")
        throw InputError("the units are " + std::string(units.word(0)), units.position(0),
                         "only units metal are read: Angstrom, eV and ps");
    } else if (is_item("NUMBER")) {
      const TextRow& number = next_line("the number of atoms");
      count_ = number.integer(0, "the number of atoms");
      if (count_ < 1 || count_ > std::numeric_limits<std::int32_t>::max())
        throw InputError("the number of atoms is " + std::string(number.word(0)),
                         number.position(0), "write a number from 1 to 2147483647");
    } else if (is_item("BOX")) {
      read_box();
    } else {
      throw InputError("'" + row().text() + "' is not an item that is read here", row().position(1),
                       "items are ITEM: TIMESTEP, TIME, UNITS, NUMBER OF ATOMS, BOX BOUNDS, ATOMS");
    }
  }

  void read_box() {
    const TextRow header = row();
    const auto has = [&](std::string_view word) {
      for (std::size_t n = 3; n < header.columns(); ++n)
        if (header.word(n) == word) return true;
      return false;
    };
    const bool is_tilted = has("xy"), is_general = has("abc");
    LammpsBox box;
    // The last three words give the boundary of each direction: pp, or two of f, s and m.
    if (header.columns() >= 6)
      for (std::size_t d = 0; d < 3; ++d)
        box.periodic[d] = header.word(header.columns() - 3 + d) == "pp";
    std::array<std::array<double, 4>, 3> number{};
    where_box_ = SourcePosition{path_, header.line() + 1, 0, ""};
    for (std::size_t d = 0; d < 3; ++d) {
      const TextRow& bounds = next_line("the bounds of the box");
      const std::size_t width = is_general ? 4 : is_tilted ? 3 : 2;
      bounds.require_columns(width, is_general  ? "x y z origin"
                                    : is_tilted ? "low high tilt"
                                                : "low high");
      for (std::size_t n = 0; n < width; ++n) number[d][n] = bounds.real(n, "the bound");
      if (!is_general && !(number[d][1] > number[d][0]))
        throw InputError("the box has no extent along " + std::string(1, "xyz"[d]),
                         bounds.position(0), "write the lower bound before the upper one");
    }
    if (is_general) {
      for (std::size_t d = 0; d < 3; ++d) {
        box.vectors[d] = {number[d][0], number[d][1], number[d][2]};
        box.origin = {number[0][3], number[1][3], number[2][3]};
      }
    } else {
      box.set_bounds({number[0][0], number[1][0], number[2][0]},
                     {number[0][1], number[1][1], number[2][1]},
                     {number[0][2], number[1][2], number[2][2]});
    }
    box_ = box;
  }

  void read_atoms(AtomFrame& frame) {
    if (!box_ || count_ == 0)
      throw InputError(
          "the frame does not give " + std::string(box_ ? "the number of atoms" : "its box"),
          row().position(0), "write ITEM: NUMBER OF ATOMS and ITEM: BOX BOUNDS first");
    const DumpColumns columns(row());
    atoms::NamedStructure& atoms = frame.atoms;
    frame.where_box = where_box_;
    atoms.cell = box_->vectors;
    atoms.box = checked_box(atoms.cell, box_->periodic, where_box_);
    for (Index i = 0; i < count_; ++i) {
      const TextRow& line =
          next_line("atom " + std::to_string(i + 1) + " of " + std::to_string(count_));
      columns.check(line);
      frame.line.push_back(line.line());
      if (columns.mass) atoms.masses.push_back(read_mass(line, *columns.mass));
      atoms.types.push_back(atoms.type_of(element(line, columns, frame)));
      atoms.positions.push_back(position(line, columns));
      if (columns.id) atoms.ids.push_back(line.integer(*columns.id, "the id"));
      if (columns.velocity)
        atoms.velocities.push_back(three_numbers(line, *columns.velocity, "the velocity"));
    }
    if (columns.id) sort_by_id(frame);
  }

  Vec3<double> position(const TextRow& line, const DumpColumns& columns) const {
    const auto& [a, b, c] = box_->vectors;
    Vec3<double> r = three_numbers(line, *columns.position, "the position");
    if (columns.is_scaled) r = box_->origin + (r.x * a + r.y * b + r.z * c);
    if (columns.image)
      for (std::size_t d = 0; d < 3; ++d)
        r += static_cast<double>(line.integer((*columns.image)[d], "the image flag")) *
             box_->vectors[d];
    return checked_position(r, line, *columns.position);
  }

  std::string element(const TextRow& line, const DumpColumns& columns,
                      const AtomFrame& frame) const {
    std::optional<std::size_t> type;
    const SourcePosition where = line.position(columns.type ? *columns.type : *columns.element);
    if (columns.type) {
      const Index number = line.integer(*columns.type, "the type");
      if (number < 1 || number > std::numeric_limits<std::int32_t>::max())
        throw InputError("the type is " + std::to_string(number), where,
                         "types are counted from 1");
      type = static_cast<std::size_t>(number - 1);
      if (const auto given = names_.given_name(*type, where)) return *given;
    }
    if (columns.element) return std::string(line.word(*columns.element));
    if (columns.mass)
      if (const atoms::Element* found = atoms::find_element_by_mass(frame.atoms.masses.back()))
        return std::string(found->symbol);
    return names_.other_name(*type, where);
  }

  static void sort_by_id(AtomFrame& frame) {
    atoms::NamedStructure& atoms = frame.atoms;
    std::vector<std::size_t> order(atoms.ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return atoms.ids[a] < atoms.ids[b]; });
    const auto sort = [&](auto& numbers) {
      if (numbers.empty()) return;
      auto sorted = numbers;
      for (std::size_t n = 0; n < order.size(); ++n) sorted[n] = numbers[order[n]];
      numbers = std::move(sorted);
    };
    sort(atoms.ids);
    sort(atoms.types);
    sort(atoms.positions);
    sort(atoms.masses);
    sort(atoms.velocities);
    sort(frame.line);
    for (std::size_t n = 1; n < atoms.ids.size(); ++n)
      if (atoms.ids[n] == atoms.ids[n - 1])
        throw InputError("the atom " + std::to_string(atoms.ids[n]) + " is given twice",
                         frame.where_atom(static_cast<Index>(n)), "give each atom a different id");
  }

  std::string path_;
  TypeNames names_;
  TextRowReader reader_;
  std::optional<LammpsBox> box_;
  SourcePosition where_box_;
  Index count_ = 0;
};

LammpsDumpReader::LammpsDumpReader(const std::string& path, TypeNames names)
    : frames_(std::make_unique<Frames>(path, std::move(names))) {}
LammpsDumpReader::~LammpsDumpReader() = default;

std::optional<AtomFrame> LammpsDumpReader::next() { return frames_->next(); }

std::string lammps_dump_text(const AtomFrame& frame, Index step) {
  const atoms::NamedStructure& atoms = frame.atoms;
  const LammpsBox box = lammps_box(atoms);
  std::string text = "ITEM: TIMESTEP\n" + std::to_string(step) + "\nITEM: NUMBER OF ATOMS\n" +
                     std::to_string(atoms.atoms()) + "\nITEM: BOX BOUNDS";
  if (box.is_general())
    text += " abc origin";
  else if (box.is_tilted())
    text += " xy xz yz";
  for (const bool is_periodic : box.periodic) text += is_periodic ? " pp" : " ff";
  text += '\n';
  if (box.is_general()) {
    for (const Vec3<double>& v : box.vectors) append_vector(text, v), text += " 0\n";
  } else {
    const auto [low, high] = box.bounds();
    const std::array<double, 3> tilt = box.tilt();
    for (std::size_t d = 0; d < 3; ++d) {
      append_number(text, low[d]);
      append_number(text += ' ', high[d]);
      if (box.is_tilted()) append_number(text += ' ', tilt[d]);
      text += '\n';
    }
  }
  text += "ITEM: ATOMS id type element xu yu zu";
  if (!atoms.masses.empty()) text += " mass";
  if (!atoms.velocities.empty()) text += " vx vy vz";
  text += '\n';
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    const auto type = static_cast<std::size_t>(atoms.types[i]);
    text += std::to_string(atoms.ids.empty() ? static_cast<Index>(i) + 1 : atoms.ids[i]) + ' ' +
            std::to_string(type + 1) + ' ' + atoms.species[type];
    append_vector(text += ' ', atoms.positions[i]);
    if (!atoms.masses.empty()) append_number(text += ' ', atoms.masses[i]);
    if (!atoms.velocities.empty()) append_vector(text += ' ', atoms.velocities[i]);
    text += '\n';
  }
  return text;
}

}  // namespace larmor::io
