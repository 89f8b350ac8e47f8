#include "larmor/imports/bonds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "larmor/core/input/units.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::imports {
namespace {

/// Two directions of a bond may differ by this share of the largest coupling. Programs compute both
/// directions, with numerical noise.
constexpr double largest_noise = 1e-3;
/// Differences below this share are rounding, and need no note.
constexpr double rounding = 1e-5;
constexpr std::size_t most_atoms_shown = 8;

using Ends = std::tuple<std::array<int, 2>, std::array<int, 3>>;

Ends ends_of(const Bond& bond) { return {bond.atoms, bond.offset}; }

Bond reversed(const Bond& bond) {
  return {{bond.atoms[1], bond.atoms[0]},
          {-bond.offset[0], -bond.offset[1], -bond.offset[2]},
          bond.A.transposed(),
          bond.where};
}

/// Is this the direction that a study has? It leads to a later atom, or to a later cell.
bool is_first_direction(const Bond& bond) {
  return bond.atoms[0] != bond.atoms[1] ? bond.atoms[0] < bond.atoms[1]
                                        : bond.offset > std::array<int, 3>{0, 0, 0};
}

double largest_entry(const Mat3<double>& m) {
  double largest = 0;
  for (const Vec3<double>& r : m.row)
    largest = std::max({largest, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  return largest;
}

/// The bonds by their ends. @throws InputError for a bond of an atom with itself and a bond given
/// twice
std::map<Ends, const Bond*> by_ends(const std::vector<Bond>& rows, const BondConvention& names) {
  std::map<Ends, const Bond*> found;
  for (const Bond& row : rows) {
    if (row.atoms[0] == row.atoms[1] && row.offset == std::array<int, 3>{0, 0, 0})
      throw InputError(bond_text(row, names) + " couples an atom with itself", row.where.position(),
                       "remove this row; an anisotropy acts on one atom");
    const auto [known, is_new] = found.emplace(ends_of(row), &row);
    if (!is_new)
      throw InputError(fmt::format("{} is given twice, first in line {}", bond_text(row, names),
                                   known->second->where.line),
                       row.where.position(), "give each direction of each bond once");
  }
  return found;
}

Value strength(double value, const std::string& unit) {
  return Value(number_text(value) + " " + unit);
}

Value strengths(const Vec3<double>& v, const std::string& unit) {
  return Value(Value::Array{strength(v.x, unit), strength(v.y, unit), strength(v.z, unit)});
}

Value strengths(const Mat3<double>& m, const std::string& unit) {
  return Value(Value::Array{strengths(m.row[0], unit), strengths(m.row[1], unit),
                            strengths(m.row[2], unit)});
}

/// A table of a term, which gains the offsets of bonds with equal couplings.
struct TermTables {
  std::string name, key;
  std::map<std::pair<std::array<int, 2>, std::vector<double>>, std::size_t> table_of = {};
  struct Table {
    Value strength;
    std::array<int, 2> atoms;
    Value::Array offsets;
    SourceMark where;
  };
  std::vector<Table> tables = {};

  void add(const Bond& bond, const std::vector<double>& numbers, Value value) {
    const auto [known, is_new] = table_of.emplace(std::pair{bond.atoms, numbers}, tables.size());
    if (is_new)
      tables.push_back({placed(std::move(value), bond.where), bond.atoms, {}, bond.where});
    tables[known->second].offsets.push_back(
        placed(Value(Value::Array{bond.offset[0], bond.offset[1], bond.offset[2]}), bond.where));
  }

  void store(Value& study) const {
    if (tables.empty()) return;
    Value::Array all;
    for (const Table& table : tables) {
      Value stored;
      stored.mark(table.where);
      stored.set(key, table.strength, table.where);
      set_placed(stored, "atoms", Value(Value::Array{table.atoms[0], table.atoms[1]}), table.where);
      set_placed(stored, "offset", Value(table.offsets), table.where);
      all.push_back(std::move(stored));
    }
    study.set(name, placed(Value(std::move(all)), tables.front().where), tables.front().where);
  }
};

/// sum_j A_0j for each atom.
std::vector<Mat3<double>> sums_of_atoms(const std::vector<Bond>& bonds, std::size_t atoms) {
  std::vector<Mat3<double>> sums(atoms);
  for (const Bond& bond : bonds) {
    Mat3<double>& first = sums[static_cast<std::size_t>(bond.atoms[0])];
    first = first + bond.A;
    Mat3<double>& second = sums[static_cast<std::size_t>(bond.atoms[1])];
    second = second + bond.A.transposed();
  }
  return sums;
}

/// "1.2 meV along x, 1.2 meV along y and 1.3 meV along z", or "1.2 meV along x, y and z"
std::string by_direction(const Mat3<double>& m, const std::string& unit) {
  const std::string along_x = fmt::format("{:.6g}", m.row[0].x);
  if (along_x == fmt::format("{:.6g}", m.row[1].y) && along_x == fmt::format("{:.6g}", m.row[2].z))
    return along_x + " " + unit + " along x, y and z";
  return fmt::format("{:.6g} {} along x, {:.6g} {} along y and {:.6g} {} along z", m.row[0].x, unit,
                     m.row[1].y, unit, m.row[2].z, unit);
}

std::array<int, 3> longest_offset(const std::vector<Bond>& bonds) {
  std::array<int, 3> longest{0, 0, 0};
  for (const Bond& bond : bonds)
    for (std::size_t d = 0; d < 3; ++d) longest[d] = std::max(longest[d], std::abs(bond.offset[d]));
  return longest;
}

}  // namespace

std::string bond_text(const Bond& bond, const BondConvention& convention) {
  return fmt::format("the bond from {} to {} of the cell ({}, {}, {})",
                     convention.atoms[static_cast<std::size_t>(bond.atoms[0])],
                     convention.atoms[static_cast<std::size_t>(bond.atoms[1])], bond.offset[0],
                     bond.offset[1], bond.offset[2]);
}

std::vector<Bond> each_pair_once(const std::vector<Bond>& rows, const BondConvention& convention,
                                 std::vector<std::string>& notes) {
  const std::map<Ends, const Bond*> known = by_ends(rows, convention);
  double largest = 0;
  for (const Bond& row : rows) largest = std::max(largest, largest_entry(row.A));
  std::vector<Bond> bonds;
  double difference = 0;
  std::size_t uncoupled = 0;
  for (const Bond& row : rows) {
    const auto other = known.find(ends_of(reversed(row)));
    if (other == known.end())
      throw InputError(bond_text(row, convention) + " lacks its reverse", row.where.position(),
                       "list each bond in both directions, as " + convention.program + " does");
    const Mat3<double> back = other->second->A.transposed();
    const double apart = largest_entry(row.A + -1.0 * back);
    if (apart > largest_noise * largest)
      throw InputError(fmt::format("{} and its reverse in line {} have different couplings",
                                   bond_text(row, convention), other->second->where.line),
                       row.where.position(),
                       "give both directions of a bond equal couplings; D changes its sign");
    difference = std::max(difference, apart);
    if (!is_first_direction(row)) continue;
    Bond bond = row;
    bond.A = convention.weight * (row.A + back);
    if (largest_entry(bond.A) == 0)
      ++uncoupled;
    else
      bonds.push_back(std::move(bond));
  }
  if (difference > rounding * largest)
    notes.push_back(
        fmt::format("the two directions of a bond differ by up to {:.2g} {}; Larmor "
                    "takes their mean",
                    difference, convention.unit));
  if (uncoupled > 0)
    notes.push_back(
        fmt::format("{} pairs have no coupling in the digits of the file; they are "
                    "left out",
                    uncoupled));
  return bonds;
}

void add_bonds(const std::vector<Bond>& bonds, const std::string& unit, Value& study) {
  TermTables exchange{"exchange", "J"}, dmi{"dmi", "D"}, tensor{"exchange-tensor", "A"};
  for (const Bond& bond : bonds) {
    const Mat3<double>& A = bond.A;
    const double J = A.row[0].x;
    const Vec3<double> D = spins::dmi_vector(A);
    if (A == spins::isotropic(J) + spins::antisymmetric(D)) {
      if (J != 0) exchange.add(bond, {J}, strength(J, unit));
      if (D != Vec3<double>{0, 0, 0}) dmi.add(bond, {D.x, D.y, D.z}, strengths(D, unit));
      continue;
    }
    std::vector<double> numbers;
    for (const Vec3<double>& r : A.row) numbers.insert(numbers.end(), {r.x, r.y, r.z});
    tensor.add(bond, numbers, strengths(A, unit));
  }
  exchange.store(study);
  dmi.store(study);
  tensor.store(study);
}

spins::MeanFieldTemperature mean_field_temperature(const std::vector<Bond>& bonds,
                                                   const lattice::Crystal& crystal, double eV) {
  if (bonds.empty()) return {};
  std::vector<Index> size;
  for (const int longest : longest_offset(bonds)) size.push_back(2 * longest + 1);
  const lattice::Geometry geometry = lattice::make_lattice(crystal, size, {true});
  spins::LoweredTerm term;
  term.bond_class = spins::BondClass::tensor;
  for (const Bond& bond : bonds)
    term.stencil.push_back(
        {lattice::stencil_by_offset(geometry, bond.atoms[0], bond.atoms[1], bond.offset),
         eV * bond.A});
  spins::MeanFieldTemperature T_c = spins::MeanField(geometry, {term}).temperature();
  T_c.value /= codata_2018.k_B;
  return T_c;
}

std::vector<std::string> notes_on(const std::vector<Bond>& bonds,
                                  const spins::MeanFieldTemperature& T_c,
                                  const BondConvention& convention) {
  std::vector<std::string> notes;
  const std::vector<Mat3<double>> sums = sums_of_atoms(bonds, convention.atoms.size());
  // The sum over the bonds of an atom counts both directions of each pair.
  const double own = 0.5 / convention.weight;
  for (std::size_t atom = 0; atom < std::min(sums.size(), most_atoms_shown); ++atom)
    notes.push_back(fmt::format("J0 of {}, its sum over j of J_ij in the convention of {}: {}",
                                convention.atoms[atom], convention.program,
                                by_direction(own * sums[atom], convention.unit)));
  if (sums.size() > most_atoms_shown)
    notes.push_back(
        fmt::format("J0 of {} more atoms is not shown", sums.size() - most_atoms_shown));
  Mat3<double> energy{};
  for (const Mat3<double>& sum : sums)
    energy = energy + (-0.5e3 * convention.eV / static_cast<double>(sums.size())) * sum;
  notes.push_back("energy of the ferromagnet in both programs: " +
                  by_direction(energy, "meV a site"));
  notes.push_back(
      fmt::format("mean-field T_c: {}{:.6g} K", T_c.is_lower_bound ? "at least " : "", T_c.value));
  return notes;
}

void add_usual_size(const std::vector<Bond>& bonds, Value& lattice) {
  const std::array<int, 3> longest = longest_offset(bonds);
  const auto directions =
      std::count_if(longest.begin(), longest.end(), [](int n) { return n > 0; });
  const Index cells = directions == 1 ? 1000 : directions == 2 ? 32 : 10;
  Value::Array size, periodic;
  for (const int n : longest) {
    size.emplace_back(n > 0 ? std::max<Index>(cells, 2 * (n + 1)) : Index{1});
    periodic.emplace_back(n > 0);
  }
  lattice.set("size", Value(std::move(size)));
  lattice.set("periodic", Value(std::move(periodic)));
}

}  // namespace larmor::imports
