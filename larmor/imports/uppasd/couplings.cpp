#include "larmor/imports/uppasd/couplings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "larmor/imports/uppasd/symmetry.hpp"
#include "larmor/io/structures/directed_bonds.hpp"

namespace larmor::imports::uppasd {
namespace {

using io::DirectedBond;

/// Tolerance of couplings as a fraction of the largest of the file. Equal couplings may differ in
/// their last digit.
constexpr double number_tolerance = 1e-5;
constexpr double farthest_cell = 1e6;

struct KindInfo {
  const char* table;
  const char* key;
  std::size_t numbers;
  const char* names;
};

const KindInfo& info_of(CouplingKind kind) {
  static const KindInfo infos[] = {
      {"exchange", "J", 1, "J"},
      {"exchange-tensor", "A", 9, "Jxx Jxy Jxz Jyx Jyy Jyz Jzx Jzy Jzz"},
      {"dmi", "D", 3, "Dx Dy Dz"},
      {"biquadratic", "b", 1, "b"}};
  return infos[static_cast<std::size_t>(kind)];
}

/// The numbers of the bond in the other direction.
CouplingNumbers reversed(CouplingKind kind, const CouplingNumbers& numbers) {
  CouplingNumbers other = numbers;
  if (kind == CouplingKind::dmi)
    for (double& n : other) n = -n;
  if (kind == CouplingKind::tensor)
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) other[3 * a + b] = numbers[3 * b + a];
  return other;
}

bool is_zero(const CouplingNumbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double n) { return n == 0; });
}

/// Is the tensor a number times 1?
bool is_isotropic(const CouplingNumbers& a) {
  return a[1] == 0 && a[2] == 0 && a[3] == 0 && a[5] == 0 && a[6] == 0 && a[7] == 0 &&
         a[0] == a[4] && a[4] == a[8];
}

/// A row of the file.
struct CouplingRow {
  std::size_t i, j;
  Index chem_i, chem_j;
  Vec3<double> r;  ///< in lattice constants
  CouplingNumbers numbers{};
  const io::TextRow* text;
  std::size_t first_number;  ///< its column
};

class CouplingReader {
 public:
  CouplingReader(const InputFile& input, const Entry& entry, CouplingKind kind,
                 const UppasdCrystal& crystal, double scale, std::vector<std::string>& notes)
      : kind_(kind),
        info_(info_of(kind)),
        crystal_(crystal),
        lattice_(crystal.geometry.crystal),
        notes_(notes),
        file_(input.open(entry)),
        keyword_(entry.keyword()),
        maptype_(input.count("maptype", 1)) {
    if (maptype_ > 3)
      input.find("maptype")->refuse("there is no maptype " + std::to_string(maptype_),
                                    "write 1 for vectors, 2 or 3 for cells");
    const bool completed = kind != CouplingKind::dmi;
    operations_ = completed
                      ? symmetry_operations(input, crystal)
                      : std::vector<std::vector<Mat3<double>>>(1, io::uppasd_operations("none"));
    for (const io::TextRow& row : file_.rows()) read_row(row, scale);
    // Vectors have the units of positions, except for those of bq, which are always Cartesian.
    if (maptype_ == 1 && kind != CouplingKind::biquadratic &&
        input.letter("posfiletype", 'C') == 'D')
      take_units_of_cell();
  }

  std::vector<Coupling> couplings() {
    drop_repeated_rows();
    for (std::size_t n = 0; n < rows_.size(); ++n) expand(n);
    note_left_out();
    std::vector<Coupling> result;
    const auto lacks_reverse = [&](const BondEnds& ends, std::size_t row) {
      refuse_one_way(ends.bond, rows_[row]);
    };
    for (const RowsByEnds::Pair& pair : by_ends_.pairs(lacks_reverse)) {
      const CouplingRow &there = rows_[pair.there], &back = rows_[pair.back];
      const CouplingNumbers returned = reversed(kind_, back.numbers);
      for (std::size_t n = 0; n < info_.numbers; ++n)
        if (std::abs(returned[n] - there.numbers[n]) > number_tolerance * largest_)
          refuse_contradiction(there, back);
      CouplingNumbers numbers{};
      for (std::size_t n = 0; n < info_.numbers; ++n) numbers[n] = there.numbers[n] + returned[n];
      if (is_zero(numbers)) continue;
      const DirectedBond& bond = pair.ends.bond;
      const Vec3<double> f =
          lattice_.basis[static_cast<std::size_t>(bond.to)].fractional +
          Vec3<double>{double(bond.offset[0]), double(bond.offset[1]), double(bond.offset[2])} -
          lattice_.basis[static_cast<std::size_t>(bond.from)].fractional;
      result.push_back({pair.ends, lattice_.cartesian(f), numbers, file_.mark(*there.text),
                        file_.mark(*there.text, there.first_number)});
    }
    return result;
  }

 private:
  void read_row(const io::TextRow& row, double scale) {
    const bool alloy = crystal_.is_alloy;
    const std::size_t first = alloy ? 4 : 2;
    const std::string names = std::string(alloy ? "i j chem_i chem_j " : "i j ") +
                              (maptype_ == 1 ? "x y z " : "n1 n2 n3 ") + info_.names;
    row.require_columns(first + 3 + info_.numbers, names);
    CouplingRow made{site(row, 0),
                     site(row, 1),
                     alloy ? row.integer(2, "the chemical type") : 1,
                     alloy ? row.integer(3, "the chemical type") : 1,
                     {row.real(first, "x"), row.real(first + 1, "y"), row.real(first + 2, "z")},
                     {},
                     &row,
                     first + 3};
    if (maptype_ != 1) {
      const Site& i = crystal_.sites[made.i];
      const Site& j = crystal_.sites[made.j];
      made.r = lattice_.cartesian(
          made.r + (maptype_ == 2 ? j.folded - i.folded : j.fractional - i.fractional));
    }
    for (std::size_t n = 0; n < info_.numbers; ++n) {
      made.numbers[n] = scale * row.real(first + 3 + n, info_.key);
      largest_ = std::max(largest_, std::abs(made.numbers[n]));
    }
    rows_.push_back(made);
  }

  std::size_t site(const io::TextRow& row, std::size_t column) const {
    const Index number = row.integer(column, "the site");
    if (number < 1 || number > std::ssize(crystal_.sites))
      throw InputError("there is no site " + std::to_string(number), row.position(column),
                       "sites are numbered from 1 to " + std::to_string(crystal_.sites.size()));
    return static_cast<std::size_t>(number - 1);
  }

  std::optional<DirectedBond> neighbour(std::size_t from, const Vec3<double>& r) const {
    const Vec3<double> f = lattice_.fractional(r);
    if (!(std::max({std::abs(f.x), std::abs(f.y), std::abs(f.z)}) < farthest_cell))
      return std::nullopt;
    return io::bond_to(lattice_, static_cast<int>(from), r, io::uppasd_position_tolerance);
  }

  void take_units_of_cell() {
    for (CouplingRow& row : rows_) row.r = lattice_.cartesian(row.r);
    notes_.push_back(keyword_ +
                     ": vectors are read in units of the cell, as UppASD reads them with "
                     "posfiletype D");
  }

  /// If a vector occurs again, the last row counts. Files often list each site of a type, with
  /// equal couplings.
  void drop_repeated_rows() {
    std::map<std::tuple<Index, Index, Index, DirectedBond>, std::size_t> known;
    std::vector<CouplingRow> kept;
    std::size_t differing = 0;
    int first_line = 0;
    for (const CouplingRow& row : rows_) {
      const Index type = crystal_.sites[row.i].type;
      const auto bond = neighbour(first_site(type), row.r);
      const auto [place, is_new] =
          bond ? known.try_emplace({type, row.chem_i, row.chem_j, *bond}, kept.size())
               : std::pair(known.end(), true);
      if (is_new) {
        kept.push_back(row);
        continue;
      }
      CouplingRow& earlier = kept[place->second];
      if (earlier.numbers != row.numbers && differing++ == 0) first_line = earlier.text->line();
      earlier = row;
    }
    rows_ = std::move(kept);
    if (differing > 0)
      notes_.push_back(keyword_ + ": " + std::to_string(differing) +
                       " vectors occur again with other couplings, first that of line " +
                       std::to_string(first_line) + ": the last row counts, as in UppASD");
  }

  std::size_t first_site(Index type) const {
    const auto found = std::find_if(crystal_.sites.begin(), crystal_.sites.end(),
                                    [type](const Site& site) { return site.type == type; });
    return static_cast<std::size_t>(found - crystal_.sites.begin());
  }

  void expand(std::size_t n) {
    const CouplingRow& row = rows_[n];
    const auto type = static_cast<std::size_t>(crystal_.sites[row.i].type - 1);
    const std::vector<Mat3<double>>& operations =
        operations_.size() == 1 ? operations_[0] : operations_.at(type);
    bool connects = false;
    for (std::size_t from = 0; from < crystal_.sites.size(); ++from) {
      if (crystal_.sites[from].type != crystal_.sites[row.i].type) continue;
      if (crystal_.occupant(from, row.chem_i) == nullptr) continue;
      for (const Mat3<double>& operation : operations) {
        const auto bond = neighbour(from, operation * row.r);
        if (!bond) continue;
        const auto to = static_cast<std::size_t>(bond->to);
        if (crystal_.occupant(to, row.chem_j) == nullptr) continue;
        connects = true;
        require_unturned(row, operation);
        insert({*bond, {row.chem_i, row.chem_j}}, n);
      }
    }
    if (!connects) {
      if (without_atom_++ == 0) first_without_atom_ = row.text->line();
    }
  }

  /// UppASD does not turn tensors with their bonds. This is right only if the turn does not change
  /// the tensor.
  void require_unturned(const CouplingRow& row, const Mat3<double>& operation) const {
    if (kind_ != CouplingKind::tensor) return;
    Mat3<double> tensor{};
    for (std::size_t a = 0; a < 3; ++a)
      tensor.row[a] = {row.numbers[3 * a], row.numbers[3 * a + 1], row.numbers[3 * a + 2]};
    for (std::size_t a = 0; a < 3; ++a) {
      const Vec3<double>& o = operation.row[a];
      const Vec3<double> turned =
          operation * (o.x * tensor.row[0] + o.y * tensor.row[1] + o.z * tensor.row[2]);
      if (length(turned - tensor.row[a]) > number_tolerance * largest_)
        throw InputError(
            "Sym copies this tensor to bonds of other directions, where it would have "
            "to be turned",
            row.text->position(row.first_number),
            "list every neighbour with its own tensor, and set Sym 0");
    }
  }

  void insert(const BondEnds& ends, std::size_t n) {
    const DirectedBond& bond = ends.bond;
    if (!io::fits(crystal_.geometry, bond)) return;
    if (reaches_itself(bond)) return leave_out_self(rows_[n]);
    const std::size_t earlier = by_ends_.add(ends, n);
    if (earlier == n) return;
    const CouplingRow& row = rows_[n];
    throw InputError("the row repeats the bond of line " +
                         std::to_string(rows_[earlier].text->line()) + ", which Sym already gives",
                     row.text->position(row.first_number - 3),
                     "set Sym 0 if the file lists every neighbour, or keep one row for each "
                     "shell. UppASD would add both couplings");
  }

  bool reaches_itself(const DirectedBond& bond) const {
    if (bond.from != bond.to) return false;
    for (std::size_t d = 0; d < 3; ++d)
      if (bond.offset[d] % crystal_.geometry.size[d] != 0) return false;
    return true;
  }

  void leave_out_self(const CouplingRow& row) {
    if (kind_ == CouplingKind::tensor && !is_isotropic(row.numbers))
      throw InputError("the row couples an atom with itself by a tensor",
                       row.text->position(row.first_number),
                       "write it as an anisotropy, or enlarge ncell");
    if (with_itself_++ == 0) first_with_itself_ = row.text->line();
  }

  void note_left_out() {
    const auto add = [&](std::size_t count, int line, const std::string& words) {
      if (count > 0)
        notes_.push_back(keyword_ + ": " + std::to_string(count) + " " + words +
                         ", first on line " + std::to_string(line));
    };
    add(without_atom_, first_without_atom_,
        "vectors lead to no atom, so that they couple nothing, as in UppASD");
    add(with_itself_, first_with_itself_,
        "bonds couple an atom with itself, which is a constant, and are left out");
    if (!rows_.empty() && without_atom_ == rows_.size())
      throw InputError("no vector leads to an atom",
                       rows_[0].text->position(rows_[0].first_number - 3),
                       "with maptype 1, give r_j - r_i in units of the lattice constant; with "
                       "maptype 2, give the cell of j");
  }

  [[noreturn]] void refuse_one_way(const DirectedBond& bond, const CouplingRow& row) const {
    throw InputError("the file has no row for the reverse bond, from site " +
                         std::to_string(bond.to + 1) + " to site " + std::to_string(bond.from + 1),
                     row.text->position(row.first_number - 3),
                     kind_ == CouplingKind::dmi
                         ? "list j i with the opposite vector and the opposite D"
                         : "list j i with the opposite vector, or use a symmetry");
  }

  [[noreturn]] void refuse_contradiction(const CouplingRow& row, const CouplingRow& back) const {
    throw InputError("the row and line " + std::to_string(back.text->line()) +
                         ", which gives the reverse bond, contradict each other",
                     row.text->position(row.first_number),
                     kind_ == CouplingKind::dmi      ? "give the reverse bond the opposite D"
                     : kind_ == CouplingKind::tensor ? "give the reverse bond the transposed tensor"
                                                     : "give both directions equal couplings");
  }

  CouplingKind kind_;
  const KindInfo& info_;
  const UppasdCrystal& crystal_;
  const lattice::Crystal& lattice_;
  std::vector<std::string>& notes_;
  DataFile file_;
  std::string keyword_;
  Index maptype_;
  std::vector<std::vector<Mat3<double>>> operations_;  ///< one list, or one for each type
  std::vector<CouplingRow> rows_;
  double largest_ = 0;
  RowsByEnds by_ends_;
  std::size_t without_atom_ = 0, with_itself_ = 0;
  int first_without_atom_ = 0, first_with_itself_ = 0;
};

Value numbers_value(CouplingKind kind, const CouplingNumbers& n, const Quantities& quantities) {
  if (kind == CouplingKind::dmi) return quantities.energies({n[0], n[1], n[2]});
  if (kind != CouplingKind::tensor) return quantities.energy(n[0]);
  Value::Array rows;
  for (std::size_t a = 0; a < 3; ++a)
    rows.push_back(quantities.energies({n[3 * a], n[3 * a + 1], n[3 * a + 2]}));
  return Value(std::move(rows));
}

}  // namespace

std::vector<Coupling> read_couplings(const InputFile& input, const Entry& entry, CouplingKind kind,
                                     const UppasdCrystal& crystal, double scale,
                                     std::vector<std::string>& notes) {
  return CouplingReader(input, entry, kind, crystal, scale, notes).couplings();
}

void set_couplings(Value& study, CouplingKind kind, const std::vector<Coupling>& couplings,
                   const UppasdCrystal& crystal, const Quantities& quantities) {
  const KindInfo &scalar = info_of(CouplingKind::exchange), &own = info_of(kind);
  BondTables exchange(scalar.table, scalar.key), tables(own.table, own.key);
  for (const Coupling& c : couplings) {
    const bool isotropic = kind == CouplingKind::tensor && is_isotropic(c.numbers);
    const CouplingKind written = isotropic ? CouplingKind::exchange : kind;
    std::vector<std::string> between;
    if (crystal.is_alloy)
      between = {crystal.species(static_cast<std::size_t>(c.ends.bond.from), c.ends.species[0]),
                 crystal.species(static_cast<std::size_t>(c.ends.bond.to), c.ends.species[1])};
    (isotropic ? exchange : tables)
        .add(c.ends, {c.numbers.begin(), c.numbers.end()},
             placed(numbers_value(written, c.numbers, quantities), c.value), c.row, between);
  }
  exchange.append_to(study);
  tables.append_to(study);
}

}  // namespace larmor::imports::uppasd
