#include "larmor/io/structures/uppasd.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/directed_bonds.hpp"

namespace larmor::io {
namespace {

using lattice::BasisAtom;
using lattice::Crystal;
using lattice::Geometry;

/// Tolerance of J as a fraction of the file's largest J. Equal couplings may differ in their last
/// digit.
constexpr double J_tolerance = 1e-5;
constexpr double farthest_cell = 1e6;
constexpr std::size_t momfile_columns = 6;
constexpr const char* momfile_names = "site chem m ex ey ez";

Vec3<double> read_vector(const TextRow& row, std::size_t first, const char* name) {
  const std::string prefix(name);
  return {row.real(first, prefix + "x"), row.real(first + 1, prefix + "y"),
          row.real(first + 2, prefix + "z")};
}

/// The number of a site, from 1 to `sites`, as an index from 0.
int read_site(const TextRow& row, std::size_t column, Index sites) {
  const Index site = row.integer(column, "the site");
  if (site < 1 || site > sites)
    throw InputError("there is no site " + std::to_string(site), row.position(column),
                     "sites are numbered from 1 to " + std::to_string(sites));
  return static_cast<int>(site - 1);
}

/// Rows that begin with the number of a site. Each site has one row, and rows may have any order.
class SiteRows {
 public:
  SiteRows(const std::string& path, std::size_t columns, const std::string& names) {
    TextRowReader reader(path);
    while (reader.next_data()) {
      reader.row().require_columns(columns, names);
      rows_.push_back(reader.row());
    }
    end_ = reader.end();
    if (rows_.empty())
      throw InputError("the file lists no sites", end_, "write the columns " + names);
  }

  std::size_t size() const { return rows_.size(); }

  /// Calls visit(site, row) for every row, with sites counted from 0.
  template <class Visit>
  void for_each(std::size_t sites, const Visit& visit) const {
    std::vector<int> line_of(sites, 0);
    for (const TextRow& row : rows_) {
      const int site = read_site(row, 0, static_cast<Index>(sites));
      int& line = line_of[static_cast<std::size_t>(site)];
      if (line != 0)
        throw InputError(
            "site " + std::to_string(site + 1) + " is already on line " + std::to_string(line),
            row.position(0), "give each site one line");
      line = row.line();
      visit(static_cast<std::size_t>(site), row);
    }
    const auto missing = std::find(line_of.begin(), line_of.end(), 0);
    if (missing != line_of.end())
      throw InputError("site " + std::to_string(missing - line_of.begin() + 1) + " is missing",
                       end_, "give each of the " + std::to_string(sites) + " sites one line");
  }

 private:
  std::vector<TextRow> rows_;
  SourcePosition end_;
};

void read_moments(const std::string& momfile, std::vector<BasisAtom>& basis) {
  const SiteRows rows(momfile, momfile_columns, momfile_names);
  rows.for_each(basis.size(), [&](std::size_t site, const TextRow& row) {
    if (row.integer(1, "the chemical type") != 1)
      throw InputError("site " + std::to_string(site + 1) + " has several chemical types",
                       row.position(1),
                       "give each site one type; [[alloy]] tables of a study make random alloys");
    const double moment = row.real(2, "the moment");
    if (moment <= 0)
      throw InputError("the moment is not positive", row.position(2),
                       "give the size of the moment in mu_B; leave out sites without a moment");
    read_vector(row, 3, "e");
    basis[site].moment = moment;
  });
}

/// A row of a jfile.
struct ExchangeRow {
  int i, j;
  Vec3<double> r;  ///< in the unit of the cell
  double J;        ///< mRy, each pair twice
  SourcePosition where;
};

/// Reads the cell of j in a row of maptype 2. Its numbers may be written as 1 or 1.0.
Vec3<double> read_cell_offset(const TextRow& row) {
  const Vec3<double> n = read_vector(row, 2, "n");
  const double component[3] = {n.x, n.y, n.z};
  for (std::size_t d = 0; d < 3; ++d)
    if (component[d] != std::round(component[d]))
      throw InputError("the cell of a neighbour is not a whole number", row.position(2 + d),
                       "write n1 n2 n3, or use maptype 1 for vectors");
  return n;
}

ExchangeRow read_exchange_row(const TextRow& row, const Crystal& crystal, double constant,
                              int maptype) {
  row.require_columns(6, maptype == 1 ? "i j x y z J" : "i j n1 n2 n3 J");
  const auto atoms = static_cast<Index>(crystal.basis.size());
  const int i = read_site(row, 0, atoms);
  const int j = read_site(row, 1, atoms);
  Vec3<double> f{};
  if (maptype == 1) {
    f = crystal.fractional(constant * read_vector(row, 2, ""));
  } else {
    f = read_cell_offset(row) + crystal.basis[static_cast<std::size_t>(j)].fractional -
        crystal.basis[static_cast<std::size_t>(i)].fractional;
  }
  if (!(std::max({std::abs(f.x), std::abs(f.y), std::abs(f.z)}) < farthest_cell))
    throw InputError("the neighbour is more than a million cells away", row.position(2),
                     "check the vector");
  const Vec3<double> r = crystal.cartesian(f);
  if (length(r) < uppasd_position_tolerance * constant)
    throw InputError("the row couples an atom with itself", row.position(2),
                     "remove the row, which only adds a constant to the energy");
  return {i, j, r, row.real(5, "J"), row.position(2)};
}

std::string J_text(const ExchangeRow& row) { return "J = " + std::to_string(row.J) + " mRy"; }

/// All rows of a jfile, completed by symmetry.
class ExchangeTable {
 public:
  ExchangeTable(const Geometry& geometry, const std::string& symmetry, double constant)
      : geometry_(geometry), operations_(uppasd_operations(symmetry)), constant_(constant) {}

  void add(const ExchangeRow& row) {
    rows_.push_back(row);
    largest_J_ = std::max(largest_J_, std::abs(row.J));
  }
  std::vector<UppasdCoupling> couplings() {
    for (std::size_t row = 0; row < rows_.size(); ++row) expand(row);
    std::vector<UppasdCoupling> result;
    for (std::size_t n = 0; n < bonds_.size(); ++n) {
      const std::size_t back = reverse_of(n);
      if (back < n) continue;
      result.push_back({stencil_bond(n), row_of(n).J + row_of(back).J});
    }
    return result;
  }

 private:
  const std::string& species(int atom) const {
    return geometry_.crystal.basis[static_cast<std::size_t>(atom)].species;
  }
  const ExchangeRow& row_of(std::size_t bond) const { return rows_[row_[bond]]; }
  bool differ(double a, double b) const { return std::abs(a - b) > J_tolerance * largest_J_; }

  /// All directed bonds of a row.
  void expand(std::size_t n) {
    const ExchangeRow& row = rows_[n];
    bool connects = false;
    for (int from = 0; from < static_cast<int>(geometry_.crystal.basis.size()); ++from) {
      if (species(from) != species(row.i)) continue;
      for (std::size_t op = 0; op < operations_.size(); ++op) {
        const auto bond = bond_to(geometry_.crystal, from, operations_[op] * row.r,
                                  uppasd_position_tolerance * constant_);
        if (!bond || species(bond->to) != species(row.j)) continue;
        connects = connects || op == 0;
        if (fits(geometry_, *bond)) insert(*bond, n);
      }
    }
    if (!connects)
      throw InputError("the vector does not lead from an atom of the type of site " +
                           std::to_string(row.i + 1) + " to an atom of the type of site " +
                           std::to_string(row.j + 1),
                       row.where,
                       "with maptype 1, give r_j - r_i in units of the lattice constant; with "
                       "maptype 2, give the cell of j");
  }

  void insert(const DirectedBond& bond, std::size_t n) {
    const auto [place, is_new] = index_.try_emplace(bond, bonds_.size());
    if (is_new) {
      bonds_.push_back(bond);
      row_.push_back(n);
      return;
    }
    const ExchangeRow& row = rows_[n];
    const ExchangeRow& earlier = row_of(place->second);
    if (&row == &earlier) return;
    const std::string line = "line " + std::to_string(earlier.where.line);
    if (length(row.r - earlier.r) > uppasd_position_tolerance * constant_)
      throw InputError("the symmetry already makes this vector from the vector of " + line,
                       row.where,
                       "give one of the vectors that the symmetry maps onto each other, or use "
                       "symmetry \"none\"");
    if (row.i == earlier.i && row.j == earlier.j)
      throw InputError("the row gives the vector of " + line + " again", row.where,
                       "keep one of the two rows");
    if (differ(row.J, earlier.J))
      throw InputError("the row contradicts " + line + ", which says " + J_text(earlier) +
                           " for sites of the same types",
                       row.where, "give equal couplings, or give the atoms different types");
  }

  std::size_t reverse_of(std::size_t n) const {
    const ExchangeRow& row = row_of(n);
    const auto found = index_.find(bonds_[n].reversed());
    if (found == index_.end())
      throw InputError("the file has no row for the reverse bond from site " +
                           std::to_string(bonds_[n].to + 1) + " to site " +
                           std::to_string(bonds_[n].from + 1),
                       row.where, "list j i with the opposite vector, or use a symmetry");
    const ExchangeRow& back = row_of(found->second);
    constexpr double largest_J = 1e300;  // sums of couplings must be finite
    if (std::abs(row.J) > largest_J) throw InputError("J is too large", row.where, "give J in mRy");
    if (differ(row.J, back.J))
      throw InputError("the row says " + J_text(row) + ", but line " +
                           std::to_string(back.where.line) + " says " + J_text(back) +
                           " for the reverse bond",
                       row.where, "give equal couplings, because a pair has only one coupling");
    return found->second;
  }

  lattice::StencilBond stencil_bond(std::size_t n) const {
    const DirectedBond& bond = bonds_[n];
    try {
      return lattice::stencil_by_offset(geometry_, bond.from, bond.to, bond.offset);
    } catch (const InputError& error) {
      throw InputError(error.problem(), row_of(n).where, error.remedy());
    }
  }

  const Geometry& geometry_;
  std::vector<Mat3<double>> operations_;
  double constant_;
  double largest_J_ = 0;
  std::vector<ExchangeRow> rows_;
  std::vector<DirectedBond> bonds_;  ///< in the order of the file
  std::vector<std::size_t> row_;     ///< row of each bond
  std::map<DirectedBond, std::size_t> index_;
};

}  // namespace

std::vector<BasisAtom> read_uppasd_basis(const std::string& posfile, const std::string& momfile,
                                         const std::array<Vec3<double>, 3>& cell) {
  const Crystal crystal{"", cell, {{{0, 0, 0}, "", 1}}, 3, {}};
  lattice::validate(crystal);
  const SiteRows rows(posfile, 5, "site type x y z");
  std::vector<BasisAtom> basis(rows.size());
  rows.for_each(rows.size(), [&](std::size_t site, const TextRow& row) {
    const Index type = row.integer(1, "the type");
    if (type < 1)
      throw InputError("the type is not positive", row.position(1), "types are numbered from 1");
    basis[site] = {crystal.fractional(read_position(row, 2)), std::to_string(type), 1};
  });
  if (!momfile.empty()) read_moments(momfile, basis);
  return basis;
}

std::vector<Vec3<double>> read_uppasd_directions(const std::string& momfile, std::size_t sites) {
  std::vector<Vec3<double>> directions(sites);
  SiteRows(momfile, momfile_columns, momfile_names)
      .for_each(sites, [&](std::size_t site, const TextRow& row) {
        directions[site] = read_vector(row, 3, "e");
      });
  return directions;
}

std::vector<UppasdCoupling> read_jfile(const std::string& path, const Geometry& geometry,
                                       const std::string& symmetry, double constant, int maptype) {
  if (!geometry.is_lattice())
    throw InputError("a jfile couples the atoms of a lattice, not plain positions",
                     "give a lattice by its cell and basis");
  if (maptype != 1 && maptype != 2)
    throw InputError("maptype " + std::to_string(maptype) + " is not supported",
                     "give 1 for vectors, or 2 for cells of the neighbours");
  ExchangeTable table(geometry, symmetry, constant);
  TextRowReader reader(path);
  while (reader.next_data())
    table.add(read_exchange_row(reader.row(), geometry.crystal, constant, maptype));
  std::vector<UppasdCoupling> couplings = table.couplings();
  if (couplings.empty())
    throw InputError("the file couples no two sites of the lattice", reader.end(),
                     "check the file, and the size and the open boundaries of the lattice");
  return couplings;
}

double uppasd_ferromagnetic_energy_mRy(const std::vector<UppasdCoupling>& couplings,
                                       Index basis_atoms) {
  double energy = 0;
  for (const UppasdCoupling& coupling : couplings) energy -= coupling.J_mRy;
  return energy / static_cast<double>(basis_atoms);
}

}  // namespace larmor::io
