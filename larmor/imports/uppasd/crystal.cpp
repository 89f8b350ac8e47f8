#include "larmor/imports/uppasd/crystal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

constexpr const char* moment_columns = "site chem moment ex ey ez";
/// Concentrations of a site may miss 1 by this much.
constexpr double concentration_tolerance = 1e-6;

Vec3<double> vector_in(const io::TextRow& row, std::size_t first, const std::string& name) {
  return {row.real(first, name + "x"), row.real(first + 1, name + "y"),
          row.real(first + 2, name + "z")};
}

/// The number of a site or type, counted from 1.
Index number_from_one(const io::TextRow& row, std::size_t column, const char* name) {
  const Index number = row.integer(column, name);
  if (number < 1 || number > 1000000)
    throw InputError(std::string(name) + " is " + std::to_string(number), row.position(column),
                     "sites and types are numbered from 1");
  return number;
}

/// The cell in lattice constants. UppASD accepts a cell of zeros for a single atom.
std::array<Vec3<double>, 3> cell_of(const Entry& entry, std::vector<std::string>& notes) {
  std::array<Vec3<double>, 3> cell;
  const std::vector<NumberRow> rows = entry.matrix(3, 3);
  for (std::size_t d = 0; d < 3; ++d)
    cell[d] = {rows[d].numbers[0], rows[d].numbers[1], rows[d].numbers[2]};
  if (length(cell[0]) + length(cell[1]) + length(cell[2]) > 0) return cell;
  notes.emplace_back("cell has only zeros: a cubic cell takes its place");
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

/// Position in the cell at the origin. The small number keeps rounded zeros.
double folded(double fraction) { return fraction - std::floor(fraction + 1e-7); }

class Reader {
 public:
  Reader(const InputFile& input, std::vector<std::string>& notes) : input_(input), notes_(notes) {}

  UppasdCrystal read() {
    const Entry& cell =
        input_.require("cell", "write `cell` with the three lattice vectors, one a line");
    crystal_.cell_where = cell.mark();
    crystal_.is_alloy = input_.flag("do_ralloy");
    lattice::Crystal& made = crystal_.geometry.crystal;
    made.name = "given";
    made.cell = cell_of(cell, notes_);
    // The basis is empty so far, but its fractions need only the cell.
    lattice::Crystal bare = made;
    bare.basis = {{{0, 0, 0}, "", 1}};
    with_position(cell.where(), [&] { lattice::validate(bare); });
    read_positions(bare);
    read_moments();
    make_geometry();
    return std::move(crystal_);
  }

 private:
  void read_positions(const lattice::Crystal& cell) {
    const Entry& posfile = input_.require("posfile", "write `posfile ./posfile`");
    const DataFile file = input_.open(posfile);
    const char type = input_.letter("posfiletype", 'C');
    if (type != 'C' && type != 'D')
      input_.find("posfiletype")->refuse("there is no such type of a posfile", "write C or D");
    const bool alloy = crystal_.is_alloy;
    const char* const names = alloy ? "site type chem concentration x y z" : "site type x y z";
    const std::size_t columns = alloy ? 7 : 5;
    for (const io::TextRow& row : file.rows()) {
      row.require_columns(columns, names);
      const auto number = static_cast<std::size_t>(number_from_one(row, 0, "the site"));
      if (number > file.rows().size())
        throw InputError("site " + std::to_string(number) + " is beyond the number of rows",
                         row.position(0), "number the sites from 1, without gaps");
      if (number > crystal_.sites.size()) crystal_.sites.resize(number);
      Site& site = crystal_.sites[number - 1];
      if (!alloy && !site.occupants.empty())
        throw InputError("site " + std::to_string(number) + " is already on line " +
                             std::to_string(site.where.line),
                         row.position(0), "give each site one line, or set do_ralloy 1");
      const Vec3<double> r = vector_in(row, columns - 3, "");
      site.type = number_from_one(row, 1, "the type");
      site.fractional = type == 'D' ? r : cell.fractional(r);
      site.folded = {folded(site.fractional.x), folded(site.fractional.y),
                     folded(site.fractional.z)};
      site.where = file.mark(row);
      Occupant occupant;
      occupant.where = file.mark(row);
      if (alloy) {
        occupant.chem = number_from_one(row, 2, "the chemical type");
        occupant.concentration = row.real(3, "the concentration");
        if (!(occupant.concentration >= 0 && occupant.concentration <= 1))
          throw InputError("the concentration is not between 0 and 1", row.position(3),
                           "give the share of the cells in which this type occupies the site");
        if (crystal_.occupant(number - 1, occupant.chem) != nullptr)
          throw InputError("the site has this chemical type twice", row.position(2),
                           "give each chemical type of a site one line");
      }
      site.occupants.push_back(occupant);
    }
    if (crystal_.sites.empty())
      throw InputError("the file lists no sites", file.end(),
                       std::string("write the columns ") + names);
    for (std::size_t s = 0; s < crystal_.sites.size(); ++s) check_site(s, file);
  }

  void check_site(std::size_t s, const DataFile& file) {
    Site& site = crystal_.sites[s];
    if (site.occupants.empty())
      throw InputError(
          "site " + std::to_string(s + 1) + " is missing", file.end(),
          "give each of the " + std::to_string(crystal_.sites.size()) + " sites one line");
    std::stable_sort(site.occupants.begin(), site.occupants.end(),
                     [](const Occupant& a, const Occupant& b) { return a.chem < b.chem; });
    double sum = 0;
    for (const Occupant& occupant : site.occupants) sum += occupant.concentration;
    if (sum > 1 + concentration_tolerance)
      throw InputError(
          "the concentrations of site " + std::to_string(s + 1) + " add up to " + number_text(sum),
          site.where.position(), "give concentrations with a sum of at most 1");
  }

  void read_moments() {
    const Entry& momfile = input_.require("momfile", "write `momfile ./momfile`");
    const DataFile file = input_.open(momfile);
    bool has_negative = false;
    for (const io::TextRow& row : file.rows()) {
      row.require_columns(6, moment_columns);
      const auto number = static_cast<std::size_t>(number_from_one(row, 0, "the site"));
      if (number > crystal_.sites.size())
        throw InputError("there is no site " + std::to_string(number), row.position(0),
                         "the posfile has " + std::to_string(crystal_.sites.size()) + " sites");
      const Index chem = number_from_one(row, 1, "the chemical type");
      Occupant* const occupant = crystal_.occupant(number - 1, crystal_.is_alloy ? chem : 1);
      if (occupant == nullptr || (!crystal_.is_alloy && chem != 1))
        throw InputError(
            "site " + std::to_string(number) + " has no chemical type " + std::to_string(chem),
            row.position(1),
            crystal_.is_alloy ? "give the chemical types of the posfile"
                              : "write 1, or set do_ralloy 1");
      if (occupant->moment_where.text)
        throw InputError(
            "the moment is already on line " + std::to_string(occupant->moment_where.line),
            row.position(0), "give each site and chemical type one line");
      const double moment = row.real(2, "the moment");
      if (moment == 0)
        throw InputError("the moment is zero", row.position(2),
                         "give the size of the moment in mu_B; leave out sites without a moment");
      has_negative = has_negative || moment < 0;
      occupant->moment = std::abs(moment);
      occupant->direction = vector_in(row, 3, "e");
      if (length(occupant->direction) == 0)
        throw InputError("the direction of the moment is zero", row.position(3),
                         "give a direction of any length except 0");
      occupant->moment_where = file.mark(row);
    }
    if (has_negative)
      notes_.emplace_back("momfile: the sign of a negative moment is dropped, as in UppASD");
    for (std::size_t s = 0; s < crystal_.sites.size(); ++s)
      for (const Occupant& occupant : crystal_.sites[s].occupants)
        if (!occupant.moment_where.text)
          throw InputError(
              "the moment of site " + std::to_string(s + 1) +
                  (crystal_.is_alloy ? ", chemical type " + std::to_string(occupant.chem) : "") +
                  " is missing",
              file.end(), std::string("write a row ") + moment_columns);
  }

  void make_geometry() {
    lattice::Crystal& made = crystal_.geometry.crystal;
    for (std::size_t s = 0; s < crystal_.sites.size(); ++s) {
      const Site& site = crystal_.sites[s];
      made.basis.push_back({site.folded, std::to_string(site.type), site.occupants[0].moment});
    }
    with_position(crystal_.sites[0].where.position(), [&] { lattice::validate(made); });
    const Entry& ncell = input_.require("ncell", "write `ncell` with three numbers of cells");
    std::vector<Index> size;
    for (std::size_t d = 0; d < 3; ++d) size.push_back(ncell.count(1, d));
    const Entry* const bc = input_.find("bc");
    std::vector<bool> periodic;
    for (std::size_t d = 0; d < 3; ++d) {
      const char letter = bc == nullptr ? 'P' : bc->letter(d);
      if (letter != 'P' && letter != '0')
        bc->refuse("there is no boundary '" + bc->word(d) + "'", "write P or 0", d);
      periodic.push_back(letter == 'P');
    }
    if (bc == nullptr) notes_.emplace_back("BC is missing: all boundaries are periodic");
    crystal_.geometry =
        with_position(ncell.where(), [&] { return lattice::make_lattice(made, size, periodic); });
  }

  const InputFile& input_;
  std::vector<std::string>& notes_;
  UppasdCrystal crystal_;
};

/// The first occupant of a site, which the basis has; alloys replace it by the others.
const Occupant& main_occupant(const Site& site) { return site.occupants[0]; }

void add_alloy(Value::Array& tables, const UppasdCrystal& crystal, std::size_t s,
               const InputFile& input, const Quantities& quantities) {
  const Site& site = crystal.sites[s];
  double rest = 1 - main_occupant(site).concentration;
  const auto add = [&](double fraction, const std::string& by, const Occupant* occupant,
                       const SourceMark& where) {
    Value table;
    table.mark(where);
    table.set("species", placed(crystal.species(s, main_occupant(site).chem), where), where);
    table.set("by", placed(by, where), where);
    table.set("fraction", placed(fraction, where), where);
    if (occupant != nullptr)
      table.set("moment", placed(quantities.moment(occupant->moment), occupant->moment_where),
                occupant->moment_where);
    // Each site draws numbers of its own.
    table.set("seed", std::abs(input.whole("tseed", 1)) + static_cast<Index>(s), where);
    tables.push_back(placed(std::move(table), where));
  };
  for (std::size_t o = 1; o < site.occupants.size(); ++o) {
    const Occupant& occupant = site.occupants[o];
    add(occupant.concentration, crystal.species(s, occupant.chem), &occupant, occupant.where);
    rest -= occupant.concentration;
  }
  if (rest > concentration_tolerance) add(rest, "vacancy", nullptr, site.where);
}

}  // namespace

const Occupant* UppasdCrystal::occupant(std::size_t site, Index chem) const {
  for (const Occupant& occupant : sites[site].occupants)
    if (occupant.chem == chem) return &occupant;
  return nullptr;
}

Occupant* UppasdCrystal::occupant(std::size_t site, Index chem) {
  for (Occupant& occupant : sites[site].occupants)
    if (occupant.chem == chem) return &occupant;
  return nullptr;
}

std::string UppasdCrystal::species(std::size_t site, Index chem) const {
  const std::string type = std::to_string(sites[site].type);
  if (is_alloy) return std::to_string(site + 1) + "-" + std::to_string(chem);
  return species_by_site ? type + "-" + std::to_string(site + 1) : type;
}

UppasdCrystal read_crystal(const InputFile& input, std::vector<std::string>& notes) {
  return Reader(input, notes).read();
}

void set_lattice(Value& study, const InputFile& input, const UppasdCrystal& crystal,
                 const Quantities& quantities) {
  const lattice::Geometry& geometry = crystal.geometry;
  Value lattice;
  lattice.mark(crystal.cell_where);
  const Entry* const cell = input.find("cell");
  const std::vector<NumberRow> rows = cell->matrix(3, 3);
  Value::Array vectors;
  for (std::size_t d = 0; d < 3; ++d)
    vectors.push_back(placed(vector_value(geometry.crystal.cell[d]), rows[d].mark));
  lattice.set("cell", placed(Value(std::move(vectors)), cell->value_mark()), cell->mark());
  if (const Entry* alat = input.find("alat"); alat != nullptr && !quantities.reduced) {
    const double metres = alat->number();
    if (!(metres > 0)) alat->refuse("alat is not positive", "give the lattice constant in metres");
    lattice.set("constant", placed(quantities.of(metres, "m"), alat->value_mark()), alat->mark());
  }
  const Entry* const ncell = input.find("ncell");
  Value::Array size, periodic;
  for (std::size_t d = 0; d < 3; ++d) {
    size.push_back(placed(geometry.size[d], ncell->value_mark(d)));
    periodic.emplace_back(geometry.periodic[d]);
  }
  lattice.set("size", placed(Value(std::move(size)), ncell->value_mark()), ncell->mark());
  const Entry* const bc = input.find("bc");
  const SourceMark bc_where = bc != nullptr ? bc->value_mark() : ncell->mark();
  lattice.set("periodic", placed(Value(std::move(periodic)), bc_where),
              bc != nullptr ? bc->mark() : ncell->mark());
  Value::Array basis, species, moments;
  const SourceMark posfile = crystal.sites[0].where;
  for (std::size_t s = 0; s < crystal.sites.size(); ++s) {
    const Site& site = crystal.sites[s];
    const Occupant& occupant = main_occupant(site);
    basis.push_back(placed(vector_value(site.folded), site.where));
    species.push_back(placed(crystal.species(s, occupant.chem), site.where));
    moments.push_back(placed(quantities.moment(occupant.moment), occupant.moment_where));
  }
  lattice.set("basis", placed(Value(std::move(basis)), posfile), posfile);
  lattice.set("species", placed(Value(std::move(species)), posfile), posfile);
  const SourceMark momfile = main_occupant(crystal.sites[0]).moment_where;
  lattice.set("moment", placed(Value(std::move(moments)), momfile), momfile);
  study.set("lattice", placed(std::move(lattice), crystal.cell_where), crystal.cell_where);
  if (!crystal.is_alloy) return;
  Value::Array alloys;
  for (std::size_t s = 0; s < crystal.sites.size(); ++s)
    add_alloy(alloys, crystal, s, input, quantities);
  if (!alloys.empty()) study.set("alloy", placed(Value(std::move(alloys)), posfile), posfile);
}

std::vector<Vec3<double>> read_directions(const DataFile& file, std::size_t sites,
                                          std::vector<SourceMark>& marks) {
  std::vector<Vec3<double>> directions(sites);
  marks.assign(sites, {});
  for (const io::TextRow& row : file.rows()) {
    row.require_columns(6, moment_columns);
    const auto number = static_cast<std::size_t>(number_from_one(row, 0, "the site"));
    if (number > sites)
      throw InputError("there is no site " + std::to_string(number), row.position(0),
                       "the posfile has " + std::to_string(sites) + " sites");
    directions[number - 1] = vector_in(row, 3, "e");
    if (length(directions[number - 1]) == 0)
      throw InputError("the direction of the moment is zero", row.position(3),
                       "give a direction of any length except 0");
    marks[number - 1] = file.mark(row);
  }
  for (std::size_t s = 0; s < sites; ++s)
    if (!marks[s].text)
      throw InputError("the moment of site " + std::to_string(s + 1) + " is missing", file.end(),
                       std::string("write a row ") + moment_columns);
  return directions;
}

}  // namespace larmor::imports::uppasd
