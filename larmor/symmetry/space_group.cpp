#include "larmor/symmetry/space_group.hpp"

#include <fmt/core.h>
#include <spglib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/lattice/input.hpp"
#include "larmor/symmetry/matrices.hpp"
#include "larmor/symmetry/rod_group.hpp"

namespace larmor::symmetry {
namespace {

using Point = Vec3<double>;

/// Positions and kinds of all atoms, also of those without spins. Columns of `cell` are vectors.
struct Atoms {
  Mat3<double> cell;
  std::vector<Point> fractional;
  std::vector<int> kinds;

  Point cartesian(std::size_t i) const { return cell * fractional[i]; }
};

Point to_cell(const Point& f) {
  return {f.x - std::floor(f.x), f.y - std::floor(f.y), f.z - std::floor(f.z)};
}

Point nearest_fraction(const Point& f) {
  return {f.x - std::round(f.x), f.y - std::round(f.y), f.z - std::round(f.z)};
}

Atoms atoms_of(const lattice::Crystal& crystal, const Surroundings& surroundings) {
  Atoms atoms;
  atoms.cell = Mat3<double>{{crystal.cell[0], crystal.cell[1], crystal.cell[2]}}.transposed();
  std::map<std::tuple<bool, std::string, double>, int> kinds;
  const auto add = [&](const lattice::BasisAtom& atom, bool has_spin) {
    const auto kind = std::tuple(has_spin, atom.species, has_spin ? atom.moment : 0);
    const int next = static_cast<int>(kinds.size()) + 1;
    atoms.kinds.push_back(kinds.emplace(kind, next).first->second);
    atoms.fractional.push_back(atom.fractional);
  };
  for (const auto& atom : crystal.basis) add(atom, true);
  for (const auto& atom : surroundings.atoms) add(atom, false);
  return atoms;
}

/// The layer, repeated along its normal at a distance that no operation can connect to it.
Atoms stacked(const Atoms& layer) {
  Atoms atoms = layer;
  const Mat3<double> vectors = layer.cell.transposed();
  Point normal = cross(vectors.row[0], vectors.row[1]);
  normal = (1 / length(normal)) * normal;
  double lowest = std::numeric_limits<double>::max(), highest = -lowest;
  for (std::size_t i = 0; i < layer.kinds.size(); ++i) {
    const double height = dot(layer.cartesian(i), normal);
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
  }
  const double longest = std::max(length(vectors.row[0]), length(vectors.row[1]));
  const double height = 3 * (highest - lowest) + 2 * longest;
  atoms.cell = Mat3<double>{{vectors.row[0], vectors.row[1], height * normal}}.transposed();
  const Mat3<double> to_fraction = inverse(atoms.cell);
  for (std::size_t i = 0; i < layer.kinds.size(); ++i)
    atoms.fractional[i] = to_fraction * layer.cartesian(i);
  return atoms;
}

/// spglib wants a right-handed cell. The exchange of two vectors leaves the crystal as it is.
Atoms right_handed(Atoms atoms) {
  if (determinant(atoms.cell) > 0) return atoms;
  Mat3<double> rows = atoms.cell.transposed();
  std::swap(rows.row[0], rows.row[1]);
  atoms.cell = rows.transposed();
  for (Point& f : atoms.fractional) std::swap(f.x, f.y);
  return atoms;
}

struct FreeDataset {
  void operator()(SpglibDataset* dataset) const { spg_free_dataset(dataset); }
};
using Dataset = std::unique_ptr<SpglibDataset, FreeDataset>;

/// spglib needs minutes for cells that no crystal has.
void require_compact(const Atoms& atoms) {
  constexpr double largest_ratio = 1e4;
  const Mat3<double> vectors = atoms.cell.transposed();
  const auto [shortest, longest] =
      std::minmax({length(vectors.row[0]), length(vectors.row[1]), length(vectors.row[2])});
  if (!(longest <= largest_ratio * shortest))
    throw lattice::LatticeKeyError(
        "cell",
        fmt::format("the cell is {:.3g} times as long as wide, and its symmetry is not sought",
                    longest / shortest),
        "give vectors whose lengths differ by a factor of at most 1e4");
}

Dataset dataset_of(const Atoms& atoms, double tolerance) {
  require_compact(atoms);
  double cell[3][3];
  for (int i = 0; i < 3; ++i) {
    cell[i][0] = atoms.cell.row[i].x;
    cell[i][1] = atoms.cell.row[i].y;
    cell[i][2] = atoms.cell.row[i].z;
  }
  std::vector<std::array<double, 3>> positions;
  for (const Point& f : atoms.fractional) positions.push_back({f.x, f.y, f.z});
  Dataset dataset(spg_get_dataset(cell, reinterpret_cast<double(*)[3]>(positions.data()),
                                  atoms.kinds.data(), static_cast<int>(atoms.kinds.size()),
                                  tolerance));
  if (!dataset || dataset->spacegroup_number == 0)
    throw InputError(
        fmt::format("spglib finds no space group of the crystal within the tolerance {:.3g}: {}",
                    tolerance, spg_get_error_message(spg_get_error_code())),
        "choose another tolerance, well below the distance of nearest neighbours");
  return dataset;
}

Mat3<double> rotation_in(const Dataset& dataset, int n) {
  const auto& w = dataset->rotations[n];
  Mat3<double> m{};
  for (int i = 0; i < 3; ++i) m.row[i] = {double(w[i][0]), double(w[i][1]), double(w[i][2])};
  return m;
}

Point translation_in(const Dataset& dataset, int n) {
  const auto& t = dataset->translations[n];
  return {t[0], t[1], t[2]};
}

/// Translations within the cell that map the crystal to itself, as fractions.
std::vector<Point> translations_of(const Dataset& dataset) {
  std::vector<Point> translations;
  for (int n = 0; n < dataset->n_operations; ++n)
    if (rotation_in(dataset, n) == identity)
      translations.push_back(nearest_fraction(translation_in(dataset, n)));
  return translations;
}

/// The crystal with its primitive cell, where an operation need not map the given cell to itself.
Atoms primitive(const Atoms& atoms, const Dataset& dataset, std::size_t translations,
                double tolerance) {
  if (translations == 1) return atoms;
  Atoms small;
  const auto& p = dataset->primitive_lattice;
  for (int i = 0; i < 3; ++i) small.cell.row[i] = {p[i][0], p[i][1], p[i][2]};
  const Mat3<double> to_fraction = inverse(small.cell);
  for (std::size_t i = 0; i < atoms.kinds.size(); ++i) {
    const Point f = to_cell(to_fraction * atoms.cartesian(i));
    const bool is_known = std::ranges::any_of(small.fractional, [&](const Point& other) {
      return length(small.cell * nearest_fraction(f - other)) < 3 * tolerance;
    });
    if (is_known) continue;
    small.fractional.push_back(f);
    small.kinds.push_back(atoms.kinds[i]);
  }
  if (small.kinds.size() * translations != atoms.kinds.size())
    throw InputError(
        fmt::format("the cell repeats {} times within the tolerance {:.3g}, but its atoms do not",
                    translations, tolerance),
        "choose another tolerance, or give positions with more digits");
  return small;
}

/// The orthogonal matrix nearest to a matrix (Higham, SIAM J. Sci. Stat. Comput. 7 (1986) 1160).
Mat3<double> nearest_orthogonal(Mat3<double> m) {
  for (int n = 0; n < 60; ++n) m = 0.5 * (m + inverse(m).transposed());
  return m;
}

/// The cell nearest to a cell whose lengths and angles have the symmetry of the rotations exactly.
Mat3<double> symmetric_cell(const Mat3<double>& cell, const std::vector<Mat3<double>>& rotations) {
  const Mat3<double> metric = product(cell.transposed(), cell);
  Mat3<double> g{};
  for (const Mat3<double>& w : rotations) g = g + product(product(w.transposed(), metric), w);
  g = (1 / static_cast<double>(rotations.size())) * g;
  // The factor of Cholesky, whose columns have the lengths and angles of g.
  Mat3<double> c{};
  c.row[0].x = std::sqrt(g.row[0].x);
  c.row[0].y = g.row[0].y / c.row[0].x;
  c.row[0].z = g.row[0].z / c.row[0].x;
  c.row[1].y = std::sqrt(g.row[1].y - c.row[0].y * c.row[0].y);
  c.row[1].z = (g.row[1].z - c.row[0].y * c.row[0].z) / c.row[1].y;
  c.row[2].z = std::sqrt(g.row[2].z - c.row[0].z * c.row[0].z - c.row[1].z * c.row[1].z);
  return product(nearest_orthogonal(product(cell, inverse(c))), c);
}

/// The operations of the primitive cell, each with all translations within the given cell.
std::vector<Operation> operations_of(const Atoms& small, const Dataset& dataset,
                                     const std::vector<Point>& translations) {
  std::vector<Mat3<double>> rotations;
  for (int n = 0; n < dataset->n_operations; ++n) rotations.push_back(rotation_in(dataset, n));
  const Mat3<double> cell = symmetric_cell(small.cell, rotations);
  const Mat3<double> to_fraction = inverse(cell);
  std::vector<Operation> operations;
  for (int n = 0; n < dataset->n_operations; ++n) {
    const Mat3<double> rotation =
        product(product(cell, rotations[static_cast<std::size_t>(n)]), to_fraction);
    const Point t = small.cell * nearest_fraction(translation_in(dataset, n));
    for (const Point& more : translations) operations.push_back({rotation, t + more});
  }
  return operations;
}

/// The operations that map the one layer to itself.
std::vector<Operation> of_layer(const std::vector<Operation>& operations, const Atoms& layer,
                                const Atoms& stack) {
  const Point period = stack.cell.transposed().row[2];
  const Point normal = (1 / length(period)) * period;
  double mean = 0;
  for (std::size_t i = 0; i < layer.kinds.size(); ++i) mean += dot(layer.cartesian(i), normal);
  mean /= static_cast<double>(layer.kinds.size());
  std::vector<Operation> kept;
  for (Operation it : operations) {
    const double along = dot(it.rotation * normal, normal);
    if (std::abs(along) < 0.9) continue;
    const double moved = along * mean + dot(it.translation, normal) - mean;
    it.translation += -std::round(moved / length(period)) * period;
    kept.push_back(it);
  }
  return kept;
}

void put_identity_first(std::vector<Operation>& operations) {
  const auto is_identity = [](const Operation& it) {
    return distance(it.rotation, identity) < 1e-6 ? length(it.translation)
                                                  : std::numeric_limits<double>::max();
  };
  std::iter_swap(operations.begin(), std::ranges::min_element(operations, {}, is_identity));
  operations.front() = {identity, {0, 0, 0}};
}

SpaceGroup group_of_chain(const Atoms& atoms, double tolerance) {
  SpaceGroup group;
  ChainAtoms chain{{}, atoms.kinds};
  for (std::size_t i = 0; i < atoms.kinds.size(); ++i)
    chain.positions.push_back(atoms.cartesian(i));
  group.operations = rod_operations(atoms.cell.transposed().row[0], chain, tolerance);
  std::vector<Mat3<double>> rotations;
  for (const Operation& it : group.operations)
    if (std::ranges::none_of(rotations, [&](const Mat3<double>& known) {
          return distance(known, it.rotation) < 1e-6;
        }))
      rotations.push_back(it.rotation);
  group.symbol = point_group_symbol(rotations);
  return group;
}

double nearest_distance(const lattice::Crystal& crystal, const Surroundings& surroundings) {
  std::vector<Point> all;
  for (const auto& atom : crystal.basis) all.push_back(atom.fractional);
  for (const auto& atom : surroundings.atoms) all.push_back(atom.fractional);
  double nearest = std::numeric_limits<double>::max();
  const int reach[3] = {1, crystal.dimensions > 1 ? 1 : 0, crystal.dimensions > 2 ? 1 : 0};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i; j < all.size(); ++j) {
      Point d = all[j] - all[i];
      if (reach[0]) d.x -= std::round(d.x);
      if (reach[1]) d.y -= std::round(d.y);
      if (reach[2]) d.z -= std::round(d.z);
      for (int x = -reach[0]; x <= reach[0]; ++x)
        for (int y = -reach[1]; y <= reach[1]; ++y)
          for (int z = -reach[2]; z <= reach[2]; ++z) {
            if (i == j && x == 0 && y == 0 && z == 0) continue;
            const Point r = crystal.cartesian(d + Point{double(x), double(y), double(z)});
            nearest = std::min(nearest, length(r));
          }
    }
  return nearest;
}

/// Cells are counted in whole numbers, which must not overflow.
bool is_near(const Point& f) {
  constexpr double farthest = 1e6;
  return std::max({std::abs(f.x), std::abs(f.y), std::abs(f.z)}) <= farthest;
}

/// @throws LatticeKeyError for an atom without spin at the place of another atom, or nowhere, and
/// for an atom far from the cell
void check_places(const lattice::Crystal& crystal, const Surroundings& surroundings) {
  constexpr const char* into_cell = "give the position of the same atom in the cell at the origin";
  std::vector<lattice::BasisAtom> all = crystal.basis;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (!is_near(all[n].fractional))
      throw lattice::LatticeKeyError(
          "basis", fmt::format("basis atom {} is more than a million cells away", n), into_cell);
  for (const lattice::BasisAtom& other : surroundings.atoms) {
    const Point& f = other.fractional;
    const std::string name = fmt::format("other atom {}", all.size() - crystal.basis.size());
    if (!std::isfinite(f.x + f.y + f.z))
      throw lattice::LatticeKeyError("other_atoms", name + " has a position that is not finite",
                                     "give three finite fractions");
    if (!is_near(f))
      throw lattice::LatticeKeyError("other_atoms", name + " is more than a million cells away",
                                     into_cell);
    for (const lattice::BasisAtom& known : all)
      if (length(nearest_fraction(f - known.fractional)) < 1e-6)
        throw lattice::LatticeKeyError("other_atoms", name + " lies at the place of another atom",
                                       "remove one of the two atoms");
    all.push_back(other);
  }
}

/// Keeps the operations that map the order to itself or reverse it.
void keep_order(const lattice::Crystal& crystal, const std::vector<Point>& order,
                std::vector<Operation>& operations) {
  double longest = 0;
  for (const Point& m : order) longest = std::max(longest, length(m));
  const auto repeats = [&](const Operation& it) {
    for (int d = 0; d < crystal.dimensions; ++d) {
      const Point f = crystal.fractional(it.rotation * crystal.cell[static_cast<std::size_t>(d)]);
      const Point rest = nearest_fraction(f);
      if (length(crystal.cartesian(rest)) > 0.1 * nearest_distance(crystal, {})) return false;
    }
    return true;
  };
  const auto maps = [&](const Operation& it, double sign) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const CellAtom image = moved(crystal, it, {static_cast<int>(i), {0, 0, 0}});
      const Point m = (sign * determinant(it.rotation)) * (it.rotation * order[i]);
      if (length(m - order[static_cast<std::size_t>(image.atom)]) >
          lattice::input_tolerance * longest)
        return false;
    }
    return true;
  };
  std::erase_if(operations, [&](const Operation& it) {
    return !repeats(it) || (!maps(it, 1) && !maps(it, -1));
  });
}

}  // namespace

double default_tolerance(const lattice::Crystal& crystal, const Surroundings& surroundings) {
  return lattice::input_tolerance * nearest_distance(crystal, surroundings);
}

SpaceGroup space_group(const lattice::Crystal& crystal, const Surroundings& surroundings,
                       const std::vector<Vec3<double>>& order) {
  lattice::validate(crystal);
  check_places(crystal, surroundings);
  if (!order.empty() && order.size() != crystal.basis.size())
    throw InputError(fmt::format("the magnetic order has {} vectors for {} atoms", order.size(),
                                 crystal.basis.size()),
                     "give one vector for each atom of the basis");
  const double tolerance = surroundings.tolerance > 0 ? surroundings.tolerance
                                                      : default_tolerance(crystal, surroundings);
  const Atoms given = atoms_of(crystal, surroundings);
  SpaceGroup group;
  if (crystal.dimensions == 1) {
    group = group_of_chain(given, tolerance);
  } else {
    const Atoms atoms = right_handed(crystal.dimensions == 2 ? stacked(given) : given);
    const Dataset of_cell = dataset_of(atoms, tolerance);
    std::vector<Point> translations = translations_of(of_cell);
    const Atoms small = primitive(atoms, of_cell, translations.size(), tolerance);
    const Dataset dataset = dataset_of(small, tolerance);
    for (Point& t : translations) t = atoms.cell * t;
    group.operations = operations_of(small, dataset, translations);
    if (crystal.dimensions == 2) group.operations = of_layer(group.operations, given, atoms);
    group.number = dataset->spacegroup_number;
    group.symbol = dataset->international_symbol;
  }
  put_identity_first(group.operations);
  group.dimensions = crystal.dimensions;
  group.tolerance = tolerance;
  if (!order.empty()) keep_order(crystal, order, group.operations);
  return group;
}

Vec3<double> position_of(const lattice::Crystal& crystal, const CellAtom& atom) {
  const Point cell{double(atom.cell[0]), double(atom.cell[1]), double(atom.cell[2])};
  return crystal.cartesian(crystal.basis[static_cast<std::size_t>(atom.atom)].fractional + cell);
}

CellAtom atom_at(const lattice::Crystal& crystal, const Vec3<double>& point) {
  const Point f = crystal.fractional(point);
  CellAtom nearest{0, {0, 0, 0}};
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < crystal.basis.size(); ++i) {
    const Point d = f - crystal.basis[i].fractional;
    const double away = length(crystal.cartesian(nearest_fraction(d)));
    if (away >= least) continue;
    least = away;
    nearest = {static_cast<int>(i),
               {int(std::lround(d.x)), int(std::lround(d.y)), int(std::lround(d.z))}};
  }
  // The distance of nearest neighbours takes long, and most points are at atoms.
  if (least > lattice::input_tolerance * length(crystal.cell[0]) &&
      least > 0.25 * nearest_distance(crystal, {}))
    throw InputError("an operation of the space group maps an atom to a place without an atom",
                     "choose a smaller tolerance of the symmetry");
  return nearest;
}

CellAtom moved(const lattice::Crystal& crystal, const Operation& operation, const CellAtom& atom) {
  return atom_at(crystal, operation.rotation * position_of(crystal, atom) + operation.translation);
}

namespace {

/// The order of a rotation by its trace, from 1 to 6; 0 if no crystal has it.
int order_of(double trace_of_rotation) {
  const double orders[][2] = {{3, 1}, {-1, 2}, {0, 3}, {1, 4}, {2, 6}};
  for (const auto& [value, order] : orders)
    if (std::abs(trace_of_rotation - value) < 1e-3) return static_cast<int>(order);
  return 0;
}

/// The axis of a rotation other than the identity: its direction that points up, or else forward.
Point axis_of(const Mat3<double>& rotation) {
  // R + R^T + (1 - trace R) 1 is a multiple of n n^T.
  const Mat3<double> m = rotation + rotation.transposed() + (1 - trace(rotation)) * identity;
  Point n = *std::ranges::max_element(m.row, {}, [](const Point& row) { return dot(row, row); });
  n = (1 / length(n)) * n;
  const double lead = std::abs(n.z) > 1e-6 ? n.z : std::abs(n.y) > 1e-6 ? n.y : n.x;
  return lead < 0 ? -n : n;
}

std::string component(double value) {
  return fmt::format("{:.4g}", std::abs(value) < 1e-6 ? 0.0 : value);
}

}  // namespace

std::string operation_text(const Mat3<double>& rotation) {
  const bool is_proper = determinant(rotation) > 0;
  const Mat3<double> proper = is_proper ? rotation : -1.0 * rotation;
  const int order = order_of(trace(proper));
  if (order == 1) return is_proper ? "the translation" : "the inversion";
  const Point n = axis_of(proper);
  const std::string axis =
      "(" + component(n.x) + ", " + component(n.y) + ", " + component(n.z) + ")";
  if (!is_proper && order == 2) return "the mirror with the normal " + axis;
  const std::string kind = is_proper ? "rotation" : "rotoinversion";
  if (order > 0) return fmt::format("the {}-fold {} about {}", order, kind, axis);
  const double angle = std::acos(std::clamp((trace(proper) - 1) / 2, -1.0, 1.0));
  return fmt::format("the {} by {:.4g} degrees about {}", kind, angle * 180 / std::numbers::pi,
                     axis);
}

std::string point_group_symbol(const std::vector<Mat3<double>>& rotations) {
  // Numbers of rotoinversions of order 6, 4, 3, mirrors and inversions, then of rotations of order
  // 1, 2, 3, 4 and 6.
  struct Row {
    const char* symbol;
    std::array<int, 10> counts;
  };
  static const Row rows[] = {
      {"1", {0, 0, 0, 0, 0, 1, 0, 0, 0, 0}},     {"-1", {0, 0, 0, 0, 1, 1, 0, 0, 0, 0}},
      {"2", {0, 0, 0, 0, 0, 1, 1, 0, 0, 0}},     {"m", {0, 0, 0, 1, 0, 1, 0, 0, 0, 0}},
      {"2/m", {0, 0, 0, 1, 1, 1, 1, 0, 0, 0}},   {"222", {0, 0, 0, 0, 0, 1, 3, 0, 0, 0}},
      {"mm2", {0, 0, 0, 2, 0, 1, 1, 0, 0, 0}},   {"mmm", {0, 0, 0, 3, 1, 1, 3, 0, 0, 0}},
      {"4", {0, 0, 0, 0, 0, 1, 1, 0, 2, 0}},     {"-4", {0, 2, 0, 0, 0, 1, 1, 0, 0, 0}},
      {"4/m", {0, 2, 0, 1, 1, 1, 1, 0, 2, 0}},   {"422", {0, 0, 0, 0, 0, 1, 5, 0, 2, 0}},
      {"4mm", {0, 0, 0, 4, 0, 1, 1, 0, 2, 0}},   {"-42m", {0, 2, 0, 2, 0, 1, 3, 0, 0, 0}},
      {"4/mmm", {0, 2, 0, 5, 1, 1, 5, 0, 2, 0}}, {"3", {0, 0, 0, 0, 0, 1, 0, 2, 0, 0}},
      {"-3", {0, 0, 2, 0, 1, 1, 0, 2, 0, 0}},    {"32", {0, 0, 0, 0, 0, 1, 3, 2, 0, 0}},
      {"3m", {0, 0, 0, 3, 0, 1, 0, 2, 0, 0}},    {"-3m", {0, 0, 2, 3, 1, 1, 3, 2, 0, 0}},
      {"6", {0, 0, 0, 0, 0, 1, 1, 2, 0, 2}},     {"-6", {2, 0, 0, 1, 0, 1, 0, 2, 0, 0}},
      {"6/m", {2, 0, 2, 1, 1, 1, 1, 2, 0, 2}},   {"622", {0, 0, 0, 0, 0, 1, 7, 2, 0, 2}},
      {"6mm", {0, 0, 0, 6, 0, 1, 1, 2, 0, 2}},   {"-6m2", {2, 0, 0, 4, 0, 1, 3, 2, 0, 0}},
      {"6/mmm", {2, 0, 2, 7, 1, 1, 7, 2, 0, 2}}, {"23", {0, 0, 0, 0, 0, 1, 3, 8, 0, 0}},
      {"m-3", {0, 0, 8, 3, 1, 1, 3, 8, 0, 0}},   {"432", {0, 0, 0, 0, 0, 1, 9, 8, 6, 0}},
      {"-43m", {0, 6, 0, 6, 0, 1, 3, 8, 0, 0}},  {"m-3m", {0, 6, 8, 9, 1, 1, 9, 8, 6, 0}}};
  std::array<int, 10> counts{};
  for (const Mat3<double>& rotation : rotations) {
    const bool is_proper = determinant(rotation) > 0;
    const int order = order_of(is_proper ? trace(rotation) : -trace(rotation));
    const int place = order == 6 ? 4 : order - 1;
    if (order > 0) ++counts[static_cast<std::size_t>(is_proper ? 5 + place : 4 - place)];
  }
  for (const Row& row : rows)
    if (row.counts == counts) return row.symbol;
  return fmt::format("order {}", rotations.size());
}

}  // namespace larmor::symmetry
