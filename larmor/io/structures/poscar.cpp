#include "larmor/io/structures/poscar.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/structures/atom_values.hpp"

namespace larmor::io {
namespace {

constexpr double fs_in_ps = 1e3;

bool is_number(std::string_view word) {
  double value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && stop == word.data() + word.size();
}

/// First letter of a line that names a mode, in lower case.
char first_letter(const TextRow& row) {
  if (row.columns() == 0) return ' ';
  const char c = row.word(0)[0];
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool says_cartesian(const TextRow& row) {
  return first_letter(row) == 'c' || first_letter(row) == 'k';
}

class Poscar {
 public:
  explicit Poscar(const std::string& path) : path_(path), reader_(path) {
    frame_.where = {path, 1, 0, ""};
    next("a comment");
    read_cell();
    read_elements();
    if (first_letter(next("Direct or Cartesian")) == 's') next("Direct or Cartesian");
    read_positions(says_cartesian(row()));
    read_velocities();
  }

  AtomFrame frame() { return std::move(frame_); }

 private:
  const TextRow& row() const { return reader_.row(); }

  const TextRow& next(const std::string& expected) {
    if (!reader_.next())
      throw InputError("the file ends where " + expected + " should stand", reader_.end(),
                       "a POSCAR has a comment, a scale, three vectors, names of elements, numbers "
                       "of atoms, Direct or Cartesian, and positions");
    return reader_.row();
  }

  void read_cell() {
    const TextRow scale = next("the scale");
    scale.require_columns(1, "the scale");
    // The scale is one factor, or three factors for x, y and z.
    const bool is_by_axis = scale.columns() >= 3 && is_number(scale.word(1));
    double factor[3];
    for (std::size_t d = 0; d < 3; ++d) {
      factor[d] = scale.real(is_by_axis ? d : 0, "the scale");
      if (factor[d] == 0 || (is_by_axis && factor[d] < 0))
        throw InputError("the scale is " + std::string(scale.word(is_by_axis ? d : 0)),
                         scale.position(is_by_axis ? d : 0),
                         "give a factor, or minus the volume of the cell");
    }
    std::array<Vec3<double>, 3> cell{};
    for (Vec3<double>& a : cell) {
      next("a vector of the cell").require_columns(3, "x y z");
      if (frame_.where_box.line == 0) frame_.where_box = row().position(0);
      a = {row().real(0, "x"), row().real(1, "y"), row().real(2, "z")};
    }
    if (factor[0] < 0) {
      const double volume = std::abs(dot(cell[0], cross(cell[1], cell[2])));
      factor[0] = factor[1] = factor[2] = volume > 0 ? std::cbrt(-factor[0] / volume) : 1;
    }
    factor_ = {factor[0], factor[1], factor[2]};
    for (Vec3<double>& a : cell) a = scaled(a);
    frame_.atoms.cell = cell;
    frame_.atoms.box = checked_box(cell, {true, true, true}, frame_.where_box);
  }

  Vec3<double> scaled(const Vec3<double>& r) const {
    return {factor_.x * r.x, factor_.y * r.y, factor_.z * r.z};
  }

  void read_elements() {
    const TextRow names = next("the names of the elements");
    names.require_columns(1, "the names of the elements");
    if (is_number(names.word(0)))
      throw InputError("the names of the elements are missing", names.position(0),
                       "write the names on a line before the numbers of atoms, as VASP 5 does");
    const TextRow numbers = next("the numbers of atoms");
    numbers.require_columns(names.columns(), "a number of atoms for each element");
    for (std::size_t n = 0; n < names.columns(); ++n) {
      const Index count = numbers.integer(n, "the number of atoms");
      if (count < 0 || count > std::numeric_limits<std::int32_t>::max() - atoms_)
        throw InputError("the number of atoms is " + std::string(numbers.word(n)),
                         numbers.position(n), "write a number from 0 to 2147483647");
      const std::string_view word = names.word(n), name = word.substr(0, word.find_first_of("_/"));
      if (name.empty())
        throw InputError("the element '" + std::string(word) + "' has no name", names.position(n),
                         "write its symbol first, as in Fe_pv");
      const std::int32_t type = frame_.atoms.type_of(name);
      counts_.emplace_back(type, count);
      atoms_ += count;
    }
    if (atoms_ == 0)
      throw InputError("there are no atoms", numbers.position(0), "give one or more atoms");
  }

  void read_positions(bool is_cartesian) {
    const auto& [a, b, c] = frame_.atoms.box.vectors;
    for (const auto& [type, count] : counts_)
      for (Index i = 0; i < count; ++i) {
        next("the position of atom " + std::to_string(frame_.atoms.atoms() + 1) + " of " +
             std::to_string(atoms_))
            .require_columns(3, "x y z");
        const Vec3<double> f = read_position(row(), 0);
        frame_.atoms.types.push_back(type);
        const Vec3<double> r = is_cartesian ? scaled(f) : f.x * a + f.y * b + f.z * c;
        frame_.atoms.positions.push_back(checked_position(r, row(), {0, 1, 2}));
        frame_.line.push_back(row().line());
      }
  }

  /// Reads a line that is blank or names the mode, then a line for each atom.
  void read_velocities() {
    if (!reader_.next()) return;
    if (row().columns() > 0 && row().word(0) == "Lattice") {  // velocities and vectors: skipped
      for (int n = 0; n < 7; ++n) next("the velocities of the cell");
      if (!reader_.next()) return;
    }
    const TextRow mode = row();
    if (!reader_.next() || row().columns() == 0) return;
    if (first_letter(mode) != ' ' && !says_cartesian(mode))
      throw InputError("the velocities are Direct, in units of the time step", mode.position(0),
                       "write the velocities as Cartesian, in Angstrom/fs");
    for (Index i = 0; i < atoms_; ++i) {
      if (i > 0) next("the velocity of atom " + std::to_string(i + 1));
      row().require_columns(3, "vx vy vz");
      frame_.atoms.velocities.push_back(fs_in_ps * read_velocity(row(), 0));
    }
  }

  std::string path_;
  TextRowReader reader_;
  AtomFrame frame_;
  Vec3<double> factor_{};
  std::vector<std::pair<std::int32_t, Index>> counts_;  ///< types, and atoms of each
  Index atoms_ = 0;
};

}  // namespace

std::string poscar_text(const AtomFrame& frame) {
  const atoms::NamedStructure& atoms = frame.atoms;
  if (!atoms.has_volume() || atoms.box.periodic != std::array{true, true, true})
    throw InputError(
        "a POSCAR needs a cell that is periodic in all directions, and the atoms have none",
        "write extended XYZ, or give the atoms a periodic cell with empty space around them");
  std::vector<std::vector<std::size_t>> of_type(atoms.species.size());
  for (std::size_t i = 0; i < atoms.types.size(); ++i)
    of_type[static_cast<std::size_t>(atoms.types[i])].push_back(i);
  std::string names, counts;
  for (std::size_t type = 0; type < of_type.size(); ++type) {
    if (of_type[type].empty()) continue;
    names += (names.empty() ? "" : " ") + atoms.species[type];
    counts += (counts.empty() ? "" : " ") + std::to_string(of_type[type].size());
  }
  std::string text = names + "\n1.0\n";
  for (const Vec3<double>& v : atoms.box.vectors) append_vector(text, v), text += '\n';
  text += names + '\n' + counts + "\nCartesian\n";
  for (const std::vector<std::size_t>& members : of_type)
    for (const std::size_t i : members) append_vector(text, atoms.positions[i]), text += '\n';
  if (atoms.velocities.empty()) return text;
  text += '\n';
  for (const std::vector<std::size_t>& members : of_type)
    for (const std::size_t i : members)
      append_vector(text, (1 / fs_in_ps) * atoms.velocities[i]), text += '\n';
  return text;
}

AtomFrame read_poscar(const std::string& path) { return Poscar(path).frame(); }

}  // namespace larmor::io
