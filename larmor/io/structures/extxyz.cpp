#include "larmor/io/structures/extxyz.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/extxyz_frames.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/length_limits.hpp"

namespace larmor::io {
namespace {

using lattice::Geometry;

/// The column of moments; null if there is none.
const ExtxyzProperty* find_moment(const ExtxyzColumns& columns) {
  const ExtxyzProperty* moment = nullptr;
  for (const char* name : {"moment", "magmom", "magmoms", "initial_magmoms"}) {
    if (columns.find(name) == nullptr) continue;
    if (moment != nullptr)
      throw InputError("the columns " + moment->name + " and " + name + " are both moments",
                       columns.where(), "keep one of the two columns");
    moment = &columns.require(name, "R", 1);
  }
  return moment;
}

/// A cube around the positions. It serves as the cell if the file has no Lattice.
std::array<Vec3<double>, 3> enclosing_cube(const std::vector<Vec3<double>>& positions) {
  Vec3<double> low = positions[0], high = positions[0];
  for (const Vec3<double>& r : positions) {
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  const Vec3<double> extent = high - low;
  const double widest = std::max({extent.x, extent.y, extent.z});
  const double a = widest >= lattice::shortest_length ? widest : 1;
  return {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}};
}

double read_moment(const TextRow& row, const ExtxyzProperty* column) {
  if (column == nullptr) return 1;
  const double moment = row.real(column->first, column->name);
  if (moment <= 0)
    throw InputError(column->name + " is not positive", row.position(column->first),
                     "give the size of the moment in mu_B; the initial state gives directions");
  return moment;
}

/// Reads one line per atom. Returns the positions, and adds species and moments to the basis.
std::vector<Vec3<double>> read_atoms(ExtxyzReader& reader, std::vector<lattice::BasisAtom>& basis) {
  const ExtxyzColumns columns = reader.columns();
  const std::size_t species = columns.require("species", "S", 1).first;
  const std::size_t x = columns.require("pos", "R", 3).first;
  const ExtxyzProperty* moment = find_moment(columns);
  std::vector<Vec3<double>> positions;
  for (Index i = 0; i < reader.atoms(); ++i) {
    const TextRow& row = reader.next_atom();
    columns.check(row);
    positions.push_back(read_position(row, x));
    basis.push_back({{}, std::string(row.word(species)), read_moment(row, moment)});
  }
  return positions;
}

/// Two atoms count as one atom, given twice, if their distance is a small fraction of the mean
/// distance. Without a cell there is no mean distance, because atoms may form clusters far apart.
/// Then only the rounding errors of coordinates count.
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
  throw InputError(
      "the atom has the position of the atom on line " + std::to_string(line(found->i)),
      SourcePosition{path, line(found->j), 0, ""},
      "remove one of the two atoms; periodic images count as one position");
}

/// @param columns columns behind species and positions
std::string header(const Geometry& geometry, const std::string& columns,
                   const std::optional<double>& time) {
  std::array<Vec3<double>, 3> cell{};
  for (std::size_t d = 0; d < 3; ++d)
    cell[d] = static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d];
  std::string keys;
  if (time) append_number(keys += " Time=", *time);
  return extxyz_header(geometry.spins(), &cell, geometry.periodic, columns, keys);
}

/// If the study names no species, the file gives sites the species X: an unknown element.
const std::string& written_species(const Geometry& geometry, Index site) {
  static const std::string unknown = "X", unnamed = "A";
  const bool is_unnamed =
      geometry.is_lattice() && geometry.substitutes.empty() &&
      std::all_of(geometry.crystal.basis.begin(), geometry.crystal.basis.end(),
                  [](const lattice::BasisAtom& atom) { return atom.species == unnamed; });
  return is_unnamed ? unknown : geometry.species(site);
}

void append_atom(std::string& text, const Geometry& geometry, Index site,
                 const Vec3<double>& spin) {
  append_vector(text += written_species(geometry, site) + ' ', geometry.position(site));
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
  for (const lattice::BasisAtom& atom : geometry.crystal.basis) check_species_name(atom.species);
  for (const lattice::Substitute& other : geometry.substitutes) check_species_name(other.species);
}

}  // namespace

Geometry read_extxyz(const std::string& path) {
  ExtxyzReader reader(path);
  reader.require_frame();
  Geometry geometry;
  geometry.plain_positions = true;
  geometry.crystal.name = "positions";
  const ExtxyzBox box = reader.box();
  geometry.periodic = box.periodic;
  if (box.cell)
    with_position(box.where, [&] {
      lattice::validate({"", *box.cell, {{{0, 0, 0}, "", 1}}, 3, {}});
    });
  const std::vector<Vec3<double>> positions = read_atoms(reader, geometry.crystal.basis);
  geometry.crystal.cell = box.cell ? *box.cell : enclosing_cube(positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    geometry.crystal.basis[i].fractional = geometry.crystal.fractional(positions[i]);
  with_position(box.where, [&] { refuse_coincident(geometry, box.cell.has_value(), path); });
  return geometry;
}

std::vector<Vec3<double>> read_extxyz_spins(const std::string& path, Index count) {
  ExtxyzReader reader(path);
  reader.require_frame();
  if (reader.atoms() != count)
    throw InputError("the file has " + std::to_string(reader.atoms()) +
                         " atoms, and the lattice has " + std::to_string(count) + " spins",
                     reader.where_count(), "give every spin of the lattice, without vacancies");
  if (reader.find("Properties") == nullptr)
    throw InputError("the key Properties is missing, so there is no column of spins",
                     reader.where_keys(), "write Properties=species:S:1:pos:R:3:spin:R:3");
  const ExtxyzColumns columns = reader.columns();
  const std::size_t x = columns.require("spin", "R", 3).first;
  std::vector<Vec3<double>> spins;
  for (Index i = 0; i < count; ++i) {
    const TextRow& row = reader.next_atom();
    columns.check(row);
    const Vec3<double> e{row.real(x, "spin x"), row.real(x + 1, "spin y"),
                         row.real(x + 2, "spin z")};
    constexpr double shortest = 1e-300;  // the components of the unit vector must be finite
    if (std::max({std::abs(e.x), std::abs(e.y), std::abs(e.z)}) < shortest)
      throw InputError("the spin has no direction", row.position(x),
                       "give a vector that is not zero");
    // A unit vector reads back bit for bit.
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
      text = written_species(geometry, site) + ' ';
      append_vector(text, geometry.position(site));
      file.write(text + ' ' + std::to_string(frame[static_cast<std::size_t>(site)]) + '\n');
    }
  }
  file.finish();
}

}  // namespace larmor::io
