#include "larmor/imports/tb2j/tb2j.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/imports/lattice_places.hpp"
#include "larmor/imports/ordering_scan.hpp"
#include "larmor/imports/tb2j/exchange_out.hpp"
#include "larmor/imports/text_lines.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::imports {
namespace tb2j {
namespace {

constexpr const char* program = "TB2J";

/// The atoms that bonds couple, as the basis of a crystal.
struct CoupledAtoms {
  std::vector<int> number;  ///< in the basis, for each atom of the file; -1: no couplings
  std::vector<const ListedAtom*> atoms;
};

CoupledAtoms coupled_atoms(const ExchangeOut& file, std::vector<std::string>& notes) {
  std::vector<bool> coupled(file.atoms.size());
  for (const ListedBond& bond : file.bonds)
    for (const int atom : bond.isotropic.atoms) coupled[static_cast<std::size_t>(atom)] = true;
  CoupledAtoms result;
  std::string left_out;
  for (std::size_t a = 0; a < file.atoms.size(); ++a) {
    result.number.push_back(coupled[a] ? static_cast<int>(result.atoms.size()) : -1);
    if (coupled[a])
      result.atoms.push_back(&file.atoms[a]);
    else
      left_out += (left_out.empty() ? "" : ", ") + file.atoms[a].label;
  }
  if (!left_out.empty()) notes.push_back("atoms without couplings are left out: " + left_out);
  return result;
}

lattice::Crystal crystal_of(const ExchangeOut& file, const CoupledAtoms& coupled) {
  lattice::Crystal crystal;
  crystal.name = "given";
  crystal.cell = file.cell;
  for (const ListedAtom* atom : coupled.atoms) {
    if (length(atom->moment) == 0)
      throw InputError(atom->label + " has couplings, but its moment is zero",
                       atom->where.position(),
                       "write its moment, or leave this element out of the magnetic ones of TB2J");
    crystal.basis.push_back(
        {crystal.fractional(atom->position), atom->label, length(atom->moment)});
  }
  return crystal;
}

/// Does the study take J_ani? Adds a note if it leaves J_ani out, or if J_ani is not whole.
bool takes_J_ani(const ExchangeOut& file, const ImportOptions& options,
                 std::vector<std::string>& notes) {
  const bool present = std::any_of(file.bonds.begin(), file.bonds.end(),
                                   [](const ListedBond& bond) { return bond.J_ani.has_value(); });
  if (!present || file.merged) return present;
  if (options.anisotropic)
    notes.emplace_back(
        "warning: J_ani comes from one direction of the spins, and along this direction it is not "
        "defined; compare J0 along x, y and z, and merge runs by TB2J_merge.py");
  else
    notes.emplace_back(
        "J_ani is left out, because it comes from one direction of the spins; merge three runs by "
        "TB2J_merge.py, or take it as it is by --anisotropic");
  return options.anisotropic;
}

std::vector<Bond> rows_of(const ExchangeOut& file, const CoupledAtoms& coupled, bool with_J_ani) {
  std::vector<Bond> rows;
  for (const ListedBond& bond : file.bonds) {
    Bond row = bond.isotropic;
    for (int& atom : row.atoms) atom = coupled.number[static_cast<std::size_t>(atom)];
    if (bond.dmi) row.A = row.A + spins::antisymmetric(*bond.dmi);
    if (with_J_ani && bond.J_ani) row.A = row.A + *bond.J_ani;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Places of lists lie at the first atom.
Value lattice_table(const ExchangeOut& file, const CoupledAtoms& coupled,
                    const lattice::Crystal& crystal) {
  Value::Array cell, basis, species, moment;
  for (const Vec3<double>& a : file.cell) cell.push_back(vector_value(a));
  for (std::size_t a = 0; a < crystal.basis.size(); ++a) {
    const SourceMark& where = coupled.atoms[a]->where;
    basis.push_back(placed(vector_value(crystal.basis[a].fractional), where));
    species.push_back(placed(crystal.basis[a].species, where));
    moment.push_back(placed(number_text(crystal.basis[a].moment) + " muB", where));
  }
  const SourceMark& atoms = coupled.atoms.front()->where;
  Value table = placed(Value(), file.cell_mark);
  set_placed(table, "constant", Value("1 A"), file.cell_mark);
  set_placed(table, "cell", Value(cell), file.cell_mark);
  set_placed(table, "basis", Value(basis), atoms);
  set_placed(table, "species", Value(species), atoms);
  set_placed(table, "moment", Value(moment), atoms);
  return table;
}

Value anisotropy_table(double K, const Vec3<double>& axis, const ListedAtom& atom) {
  const SourceMark& where = *atom.anisotropy_mark;
  Value table = placed(Value(), where);
  set_placed(table, "K", Value(number_text(K) + " meV"), where);
  set_placed(table, "axis", vector_value(axis), where);
  set_placed(table, "species", atom.label, where);
  return table;
}

/// e^T K e is a sum of squares along the axes and the diagonals between them: 2 xy is
/// 2 ((x + y) / sqrt 2)^2 - x^2 - y^2.
void add_anisotropy(const ListedAtom& atom, Value::Array& tables) {
  const Mat3<double> K = 0.5 * (atom.anisotropy + atom.anisotropy.transposed());
  const double xy = K.row[0].y, yz = K.row[1].z, zx = K.row[2].x;
  const auto add = [&](double strength, const Vec3<double>& axis) {
    if (strength != 0) tables.push_back(anisotropy_table(strength, axis, atom));
  };
  add(K.row[0].x - xy - zx, {1, 0, 0});
  add(K.row[1].y - xy - yz, {0, 1, 0});
  add(K.row[2].z - yz - zx, {0, 0, 1});
  add(2 * xy, {1, 1, 0});
  add(2 * yz, {0, 1, 1});
  add(2 * zx, {1, 0, 1});
}

Value initial_table(const CoupledAtoms& coupled) {
  Value::Array directions;
  bool aligned = true;
  for (const ListedAtom* atom : coupled.atoms) {
    const Vec3<double> direction = unit_vector(atom->moment);
    aligned = aligned && length(direction - unit_vector(coupled.atoms[0]->moment)) < 1e-3;
    directions.push_back(placed(vector_value(direction), atom->where));
  }
  const SourceMark& where = coupled.atoms[0]->where;
  Value table = placed(Value(), where);
  table.set("state", Value(aligned ? "aligned" : "sublattices"));
  if (aligned)
    table.set("direction", directions[0], where);
  else
    set_placed(table, "directions", Value(directions), where);
  return table;
}

/// "Fe" of "Fe12"
std::string elements_of(const CoupledAtoms& coupled) {
  std::string all;
  std::string last;
  for (const ListedAtom* atom : coupled.atoms) {
    const std::string element = atom->label.substr(0, atom->label.find_first_of("0123456789"));
    if (element == last) continue;
    all += (all.empty() ? "" : ", ") + element;
    last = element;
  }
  return all;
}

bool is_known_version(const std::string& version) {
  return version.empty() || (version.starts_with("0.") && version.size() > 2 && version[2] >= '3' &&
                             version[2] <= '9' && (version.size() == 3 || version[3] == '.'));
}

}  // namespace
}  // namespace tb2j

bool is_tb2j_output(const std::string& path) {
  constexpr int lines_of_a_head = 10;
  io::TextRowReader reader(path);
  bool rule = false;
  try {
    for (int n = 0; n < lines_of_a_head && reader.next();) {
      if (reader.row().columns() == 0) continue;
      ++n;
      const std::string_view word = reader.row().word(0);
      if (rule) return word == "Information:";
      if (word.size() < 10 || word.find_first_not_of('=') != std::string_view::npos) return false;
      rule = true;
    }
  } catch (const InputError&) {  // not a text
  }
  return false;
}

Import read_tb2j(const std::string& path, const ImportOptions& options) {
  using namespace tb2j;
  const ExchangeOut file = read_exchange_out(path);
  Import import{program, placed(Value(), file.file_mark), {}};
  std::vector<std::string>& notes = import.notes;
  notes.emplace_back(
      "TB2J counts each pair twice, H = - sum_(i != j) J_ij e_i.e_j, and Larmor counts it once: J "
      "and D of the study are twice those of the file");
  if (!is_known_version(file.version))
    notes.push_back("the file is of TB2J " + file.version +
                    "; Larmor has been compared with versions 0.3 to 0.9");
  const CoupledAtoms coupled = coupled_atoms(file, notes);
  const lattice::Crystal crystal = crystal_of(file, coupled);
  with_lattice_places(file.cell_mark, coupled.atoms.front()->where,
                      [&] { lattice::validate(crystal); });
  BondConvention convention{program, "meV", 1e-3, 1, {}};
  for (const ListedAtom* atom : coupled.atoms) convention.atoms.push_back(atom->label);
  const std::vector<Bond> bonds =
      each_pair_once(rows_of(file, coupled, takes_J_ani(file, options, notes)), convention, notes);
  if (bonds.empty())
    throw InputError("all couplings of the file are zero", file.bonds[0].isotropic.where.position(),
                     "name a file with couplings");
  if (file.has_biquadratic)
    notes.emplace_back("Jprime and B are left out, because TB2J calls them experimental");
  const spins::MeanFieldTemperature T_c = mean_field_temperature(bonds, crystal, convention.eV);
  for (const std::string& note : notes_on(bonds, T_c, convention)) notes.push_back(note);

  Value& study = import.study;
  study.set("title", Value("Couplings of " + elements_of(coupled) + " by TB2J"));
  study.set("units", Value("material"));
  Value lattice = lattice_table(file, coupled, crystal);
  add_usual_size(bonds, lattice);
  study.set("lattice", lattice, file.cell_mark);
  add_bonds(bonds, convention.unit, study);
  Value::Array anisotropies;
  for (const ListedAtom* atom : coupled.atoms)
    if (atom->anisotropy_mark) add_anisotropy(*atom, anisotropies);
  if (!anisotropies.empty()) {
    const SourceMark where = anisotropies[0].source_mark();
    set_placed(study, "anisotropy", Value(anisotropies), where);
  }
  study.set("initial", initial_table(coupled));
  add_ordering_scan(T_c.value, bonds[0].where, import);
  return import;
}

}  // namespace larmor::imports
