#include "larmor/imports/bonds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/input/units.hpp"
#include "larmor/imports/pairs.hpp"
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

BondEnds ends_of(const Bond& bond) { return {{bond.atoms[0], bond.atoms[1], bond.offset}, {}}; }

double largest_entry(const Mat3<double>& m) {
  double largest = 0;
  for (const Vec3<double>& r : m.row)
    largest = std::max({largest, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  return largest;
}

/// @throws InputError for a bond of an atom with itself and a bond given twice
RowsByEnds by_ends(const std::vector<Bond>& rows, const BondConvention& names) {
  RowsByEnds found;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const Bond& row = rows[n];
    if (row.atoms[0] == row.atoms[1] && row.offset == std::array<int, 3>{0, 0, 0})
      throw InputError(bond_text(row, names) + " couples an atom with itself", row.where.position(),
                       "remove this row; an anisotropy acts on one atom");
    if (const std::size_t earlier = found.add(ends_of(row), n); earlier != n)
      throw InputError(fmt::format("{} is given twice, first in line {}", bond_text(row, names),
                                   rows[earlier].where.line),
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
  const RowsByEnds known = by_ends(rows, convention);
  double largest = 0;
  for (const Bond& row : rows) largest = std::max(largest, largest_entry(row.A));
  const auto lacks_reverse = [&](const BondEnds&, std::size_t row) {
    throw InputError(bond_text(rows[row], convention) + " lacks its reverse",
                     rows[row].where.position(),
                     "list each bond in both directions, as " + convention.program + " does");
  };
  std::vector<Bond> bonds;
  double difference = 0;
  std::size_t uncoupled = 0;
  for (const RowsByEnds::Pair& pair : known.pairs(lacks_reverse)) {
    Bond bond = rows[pair.there];
    const Mat3<double> back = rows[pair.back].A.transposed();
    const double apart = largest_entry(bond.A + -1.0 * back);
    if (apart > largest_noise * largest)
      throw InputError(fmt::format("{} and its reverse in line {} have different couplings",
                                   bond_text(bond, convention), rows[pair.back].where.line),
                       bond.where.position(),
                       "give both directions of a bond equal couplings; D changes its sign");
    difference = std::max(difference, apart);
    bond.A = convention.weight * (bond.A + back);
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
  BondTables exchange("exchange", "J"), dmi("dmi", "D"), tensor("exchange-tensor", "A");
  for (const Bond& bond : bonds) {
    const BondEnds ends = ends_of(bond);
    const auto add = [&](BondTables& tables, const std::vector<double>& numbers, Value coupling) {
      tables.add(ends, numbers, placed(std::move(coupling), bond.where), bond.where);
    };
    const Mat3<double>& A = bond.A;
    const double J = A.row[0].x;
    const Vec3<double> D = spins::dmi_vector(A);
    if (A == spins::isotropic(J) + spins::antisymmetric(D)) {
      if (J != 0) add(exchange, {J}, strength(J, unit));
      if (D != Vec3<double>{0, 0, 0}) add(dmi, {D.x, D.y, D.z}, strengths(D, unit));
      continue;
    }
    std::vector<double> numbers;
    for (const Vec3<double>& r : A.row) numbers.insert(numbers.end(), {r.x, r.y, r.z});
    add(tensor, numbers, strengths(A, unit));
  }
  for (const BondTables* tables : {&exchange, &dmi, &tensor}) tables->append_to(study);
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
