#include "larmor/imports/vampire/unit_cell.hpp"

#include <fmt/core.h>

#include <cmath>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/text_lines.hpp"

namespace larmor::imports::vampire {
namespace {

constexpr Index most_rows = 100'000'000;

/// How a row gives its coupling.
struct CouplingForm {
  const char* name;
  const char* number;  ///< name in old files; empty: none
  std::size_t numbers;
};

constexpr CouplingForm forms[] = {
    {"isotropic", "0", 1}, {"vectorial", "1", 3}, {"tensorial", "2", 9}, {"tensor", "", 9}};

class UnitCellParser {
 public:
  explicit UnitCellParser(const std::string& path) : lines_(path) {}

  UnitCell parse();

 private:
  const io::TextRow& next(const std::string& contents);
  void read_cell();
  void read_atoms();
  const CouplingForm& read_form();
  void read_bonds();

  TextLines lines_;
  UnitCell cell_;
  bool comment_of_tb2j_ = false;
};

UnitCell UnitCellParser::parse() {
  cell_.file_mark = lines_.file_mark();
  read_cell();
  read_atoms();
  read_bonds();
  while (lines_.next())
    if (lines_.row().columns() > 0 && lines_.row().word(0)[0] != '#')
      throw InputError("the unit cell has more lines than it announces", lines_.where(),
                       "correct the number of interactions; Larmor reads no biquadratic ones");
  return std::move(cell_);
}

/// The next line that is neither blank nor a comment. @param contents of this line, for messages
const io::TextRow& UnitCellParser::next(const std::string& contents) {
  while (lines_.next()) {
    if (lines_.row().columns() == 0) continue;
    if (lines_.row().word(0)[0] != '#') return lines_.row();
    if (lines_.text().find("Unit cell size (Angstrom)") != std::string::npos)
      comment_of_tb2j_ = true;
  }
  throw InputError("the file ends where " + contents + " should stand", lines_.end(),
                   "complete the unit cell");
}

void UnitCellParser::read_cell() {
  const io::TextRow first = next("the edges of the unit cell");
  cell_.cell_mark = lines_.mark();
  if (first.columns() < 3)
    throw InputError("this is not a unit cell of Vampire", lines_.where(),
                     "Vampire's begins with three edges in Angstrom; TB2J's exchange.ucf is of "
                     "another program, so name exchange.out or vampire.UCF");
  std::array<double, 3> edge{};
  for (std::size_t d = 0; d < 3; ++d) {
    edge[d] = first.real(d, "an edge of the unit cell");
    if (edge[d] <= 0)
      throw InputError("an edge of the unit cell is not positive", first.position(d),
                       "give it in Angstrom");
  }
  std::array<std::array<double, 3>, 3> shape{};
  for (auto& vector : shape) {
    const io::TextRow& row = next("a vector of the unit cell");
    row.require_columns(3, "x y z");
    for (std::size_t d = 0; d < 3; ++d) vector[d] = row.real(d, "the vector of the unit cell");
  }
  const auto scaled = [&](bool by_column) {
    std::array<Vec3<double>, 3> cell{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto entry = [&](std::size_t d) { return shape[i][d] * edge[by_column ? d : i]; };
      cell[i] = {entry(0), entry(1), entry(2)};
    }
    return cell;
  };
  cell_.cell = scaled(false);
  // TB2J scales each component, not each vector. The edges show it, if they are lengths of vectors.
  const auto has_edges = [&](const std::array<Vec3<double>, 3>& cell) {
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(length(cell[i]) - edge[i]) > 1e-4 * edge[i]) return false;
    return true;
  };
  if (!has_edges(cell_.cell) && has_edges(scaled(true))) cell_.cell = scaled(true);
  const double volume = dot(cell_.cell[0], cross(cell_.cell[1], cell_.cell[2]));
  if (std::abs(volume) < 1e-6 * edge[0] * edge[1] * edge[2])
    throw InputError("the vectors of the unit cell lie in a plane", cell_.cell_mark.position(),
                     "give three independent vectors");
  cell_.of_old_tb2j = comment_of_tb2j_ && edge == std::array<double, 3>{1, 1, 1};
}

void UnitCellParser::read_atoms() {
  const Index count = next("the number of atoms").integer(0, "the number of atoms");
  if (count < 1 || count > most_rows)
    throw InputError("the number of atoms is not possible", lines_.where(),
                     "write the number of atoms of the unit cell");
  for (Index n = 0; n < count; ++n) {
    const io::TextRow& row = next(fmt::format("atom {} of {}", n, count));
    row.require_columns(4, "id x y z material");
    if (row.integer(0, "the number of the atom") != n)
      throw InputError(fmt::format("atom {} should stand here", n), row.position(0),
                       "number the atoms in their order from 0");
    UnitCellAtom atom;
    atom.fractional = {row.real(1, "x"), row.real(2, "y"), row.real(3, "z")};
    if (row.columns() > 4) {
      const Index material = row.integer(4, "the material");
      if (material < 0 || material > 1000)
        throw InputError("the material of the atom is not possible", row.position(4),
                         "materials are counted from 0 in the unit cell");
      atom.material = static_cast<int>(material);
    }
    atom.where = lines_.mark();
    cell_.atoms.push_back(atom);
  }
}

/// The form of couplings in the second column of the current line.
const CouplingForm& UnitCellParser::read_form() {
  const io::TextRow& row = lines_.row();
  if (row.columns() < 2) return forms[0];
  std::string word(row.word(1));
  constexpr std::string_view normalised = "normalised-";
  cell_.normalised = word.starts_with(normalised);
  if (cell_.normalised) word.erase(0, normalised.size());
  std::vector<std::string> names;
  for (const CouplingForm& form : forms) {
    if (word == form.name || (word == form.number && !cell_.normalised)) return form;
    if (*form.number != '\0') names.emplace_back(form.name);
  }
  throw InputError("\"" + word + "\" is not a form of couplings", row.position(1),
                   hint_and_list(word, names, "there are"));
}

void UnitCellParser::read_bonds() {
  const Index count = next("the number of interactions").integer(0, "the number of interactions");
  if (count < 1 || count > most_rows)
    throw InputError("the number of interactions is not possible", lines_.where(),
                     "write the number of rows that follow, and isotropic, vectorial or tensorial");
  const CouplingForm& form = read_form();
  const auto atoms = static_cast<Index>(cell_.atoms.size());
  for (Index n = 0; n < count; ++n) {
    const io::TextRow& row = next(fmt::format("interaction {} of {}", n, count));
    row.require_columns(6 + form.numbers, "id i j dx dy dz J, with 1, 3 or 9 numbers J");
    Bond bond;
    for (std::size_t end = 0; end < 2; ++end) {
      const Index atom = row.integer(1 + end, "the atom");
      if (atom < 0 || atom >= atoms)
        throw InputError(fmt::format("there is no atom {}", atom), row.position(1 + end),
                         fmt::format("atoms are counted from 0 to {}", atoms - 1));
      bond.atoms[end] = static_cast<int>(atom);
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const Index cell = row.integer(3 + d, "the cell");
      if (std::abs(cell) > 1000)
        throw InputError("the cell of the interaction is more than 1000 cells away",
                         row.position(3 + d), "write the cell of the second atom");
      bond.offset[d] = static_cast<int>(cell);
    }
    const auto J = [&](std::size_t k) { return row.real(6 + k, "J"); };
    if (form.numbers == 1)
      bond.A = {{{J(0), 0, 0}, {0, J(0), 0}, {0, 0, J(0)}}};
    else if (form.numbers == 3)
      bond.A = {{{J(0), 0, 0}, {0, J(1), 0}, {0, 0, J(2)}}};
    else
      bond.A = {{{J(0), J(1), J(2)}, {J(3), J(4), J(5)}, {J(6), J(7), J(8)}}};
    bond.where = lines_.mark();
    cell_.rows.push_back(bond);
  }
}

}  // namespace

UnitCell read_unit_cell(const std::string& path) { return UnitCellParser(path).parse(); }

}  // namespace larmor::imports::vampire
