// Rooms: symmetry, lattice
// Space groups and allowed matrices: published forms, the trace formula, and a search for
// operations that does without spglib.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "larmor/core/error.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/symmetry/allowed_matrices.hpp"
#include "larmor/symmetry/bond_symmetry.hpp"
#include "larmor/symmetry/coupling_tables.hpp"
#include "larmor/symmetry/matrices.hpp"
#include "larmor/symmetry/space_group.hpp"
#include "larmor/symmetry/spread.hpp"
#include "tests/expectations.hpp"

namespace larmor::symmetry {
namespace {

using lattice::BasisAtom;
using lattice::Crystal;
using lattice::StencilBond;
using testing_support::contains;
using Point = Vec3<double>;

const double root3 = std::sqrt(3.0);

struct Sample {
  Crystal crystal;
  Surroundings surroundings;
};

Sample own(std::array<Point, 3> cell, const std::vector<Point>& spins,
           const std::vector<std::pair<Point, std::string>>& others = {}, int dimensions = 3) {
  Sample sample{{"given", cell, {}, dimensions, {}}, {}};
  for (const Point& f : spins) sample.crystal.basis.push_back({f, "A", 1});
  for (const auto& [f, species] : others) sample.surroundings.atoms.push_back({f, species, 0});
  return sample;
}

std::array<Point, 3> hexagonal(double a, double c) {
  return {{{a, 0, 0}, {-a / 2, a * root3 / 2, 0}, {0, 0, c}}};
}

Sample iron_iodide() {
  return own(hexagonal(4.05, 6.76), {{0, 0, 0}},
             {{{1.0 / 3, 2.0 / 3, 0.25}, "I"}, {{2.0 / 3, 1.0 / 3, -0.25}, "I"}});
}

/// Ba3NbFe3Si2O14: Fe on the site 3f of P321.
Sample langasite() {
  const double x = 0.2496;
  Sample sample = own(hexagonal(8.539, 5.241), {{x, 0, .5}, {0, x, .5}, {-x, -x, .5}});
  const auto add = [&](const std::string& species, const Point& f) {
    const auto [u, v, w] = f;
    for (const Point& image : {Point{u, v, w}, Point{-v, u - v, w}, Point{v - u, -u, w},
                               Point{v, u, -w}, Point{u - v, -v, -w}, Point{-u, v - u, -w}}) {
      const Point in{image.x - std::floor(image.x), image.y - std::floor(image.y),
                     image.z - std::floor(image.z)};
      const bool is_known =
          std::ranges::any_of(sample.surroundings.atoms, [&](const BasisAtom& it) {
            const Point d = it.fractional - in;
            return length(Point{d.x - std::round(d.x), d.y - std::round(d.y),
                                d.z - std::round(d.z)}) < 1e-3;
          });
      if (!is_known) sample.surroundings.atoms.push_back({in, species, 0});
    }
  };
  add("Nb", {0, 0, 0});
  add("Ba", {0.5666, 0, 0});
  add("Si", {1.0 / 3, 2.0 / 3, 0.5220});
  add("O", {1.0 / 3, 2.0 / 3, 0.2162});
  add("O", {0.5259, 0.7024, 0.3536});
  add("O", {0.7840, 0.9002, 0.7760});
  return sample;
}

/// A layer of honeycombs whose two sublattices lie at different heights.
Sample buckled_honeycomb() {
  return own(hexagonal(3.86, 10), {{1.0 / 3, 2.0 / 3, 0.52}, {2.0 / 3, 1.0 / 3, 0.48}}, {}, 2);
}

/// Kagome with other atoms above the triangles that point up and below those that point down.
Sample dressed_kagome() {
  Sample sample{lattice::named_crystal("kagome", 1), {}};
  sample.surroundings.atoms = {{{1.0 / 3, 2.0 / 3, 0.2}, "O", 0},
                               {{2.0 / 3, 1.0 / 3, -0.2}, "O", 0}};
  return sample;
}

Sample named(const char* name) { return {lattice::named_crystal(name, 1), {}}; }

StencilBond bond_of(const Crystal& crystal, int from, int to, const std::array<int, 3>& offset) {
  return {from, to, offset,
          position_of(crystal, {to, offset}) - position_of(crystal, {from, {0, 0, 0}})};
}

BondOrbit orbit_in(const Sample& sample, int from, int to, const std::array<int, 3>& offset) {
  return orbit_of(space_group(sample.crystal, sample.surroundings), sample.crystal,
                  bond_of(sample.crystal, from, to, offset));
}

std::string letters(const MatrixSpace& space) { return matrix_text(with_letters(space.all())); }

struct PublishedBond {
  const char* name;
  Sample (*sample)();
  int number;               ///< number of the space group
  std::array<int, 5> bond;  ///< from, to, offset
  const char* matrix;
  const char* point_group;
  std::size_t images;
};

// The matrices follow from Moriya's rules (Phys. Rev. 120 (1960) 91).
// Pyrochlore: Ross, Savary, Gaulin, Balents, Phys. Rev. X 1 (2011) 021002, four parameters J1 to
// J4. Kagome: Elhajal, Canals, Lacroix, Phys. Rev. B 66 (2002) 014422: D along z on a mirror plane;
// with other atoms also a component in the plane, across the bond. Honeycomb: an inversion centre
// forbids D of nearest neighbours. Second neighbours have D along z (Kane, Mele, Phys. Rev. Lett.
// 95 (2005) 226801), and if buckled also across the bond (Liu, Jiang, Yao, Phys. Rev. B 84 (2011)
// 195430). Langasite: D in the plane across the axis of order 2 (Zorko et al., Phys. Rev. Lett. 107
// (2011) 257203). FeI2: four parameters of a bond along x, no D (Bai et al., Nat. Phys. 17 (2021)
// 467).
constexpr const char* across = "[[A, F, -E], [-F, B, D], [E, D, C]]";
constexpr const char* around_x = "[[A, 0, 0], [0, B, D], [0, D, C]]";
const PublishedBond published[] = {
    {"pyrochlore",
     [] { return named("pyrochlore"); },
     227,
     {0, 1, 0, 0, 0},
     "[[A, -D, -D], [D, B, C], [D, C, B]]",
     "mm2",
     48},
    {"kagome",
     [] { return named("kagome"); },
     191,
     {1, 2, 0, 0, 0},
     "[[A, D, 0], [-D, B, 0], [0, 0, C]]",
     "mm2",
     6},
    {"dressed kagome", dressed_kagome, 164, {1, 2, 0, 0, 0}, across, "m", 6},
    {"flat honeycomb",
     [] { return named("honeycomb"); },
     191,
     {0, 1, 0, 1, 0},
     "[[A, 0, 0], [0, B, 0], [0, 0, C]]",
     "mmm",
     3},
    {"flat honeycomb, second",
     [] { return named("honeycomb"); },
     191,
     {0, 0, 1, 0, 0},
     "[[A, D, 0], [-D, B, 0], [0, 0, C]]",
     "mm2",
     6},
    {"buckled honeycomb", buckled_honeycomb, 164, {0, 1, 0, 1, 0}, around_x, "2/m", 3},
    {"buckled honeycomb, second", buckled_honeycomb, 164, {0, 0, 1, 0, 0}, across, "m", 6},
    {"langasite, triangle", langasite, 150, {1, 2, 0, 0, 0}, across, "2", 3},
    {"langasite, between layers", langasite, 150, {0, 0, 0, 0, 1}, across, "2", 3},
    {"FeI2", iron_iodide, 164, {0, 0, 1, 0, 0}, around_x, "2/m", 3},
    {"FeI2, second", iron_iodide, 164, {0, 0, 1, 2, 0}, around_x, "2/m", 3},
    {"FeI2, between layers",
     iron_iodide,
     164,
     {0, 0, 0, 0, 1},
     "[[A, 0, 0], [0, A, 0], [0, 0, B]]",
     "-3m",
     1},
    {"fcc",
     [] { return named("fcc"); },
     225,
     {0, 1, 0, 0, 0},
     "[[A, 0, 0], [0, B, C], [0, C, B]]",
     "mmm",
     24},
    {"chain",
     [] { return named("chain"); },
     0,
     {0, 0, 1, 0, 0},
     "[[A, 0, 0], [0, B, 0], [0, 0, B]]",
     "4/mmm",
     1},
};

TEST(AllowedExchange, EqualsPublishedMatrices) {
  for (const PublishedBond& it : published) {
    SCOPED_TRACE(it.name);
    const Sample sample = it.sample();
    EXPECT_EQ(space_group(sample.crystal, sample.surroundings).number, it.number);
    const BondOrbit orbit =
        orbit_in(sample, it.bond[0], it.bond[1], {it.bond[2], it.bond[3], it.bond[4]});
    EXPECT_EQ(letters(allowed_exchange(orbit.group)), it.matrix);
    EXPECT_EQ(point_group_symbol(orbit.group), it.point_group);
    EXPECT_EQ(orbit.images.size(), it.images);
  }
}

TEST(AllowedAnisotropy, EqualsPublishedMatrices) {
  const auto of = [](const Sample& sample, const char* point_group) {
    const SiteOrbit orbit =
        orbit_of(space_group(sample.crystal, sample.surroundings), sample.crystal, 0);
    EXPECT_EQ(point_group_symbol(orbit.group), point_group);
    EXPECT_EQ(orbit.images.size(), sample.crystal.basis.size());
    return letters(allowed_anisotropy(orbit.group));
  };
  EXPECT_EQ(of(named("pyrochlore"), "-3m"), "[[0, A, A], [A, 0, A], [A, A, 0]]");
  EXPECT_EQ(of(iron_iodide(), "-3m"), "[[A, 0, 0], [0, A, 0], [0, 0, -2*A]]");
  EXPECT_EQ(of(langasite(), "2"), "[[A, 0, 0], [0, B, C], [0, C, -A - B]]");
  EXPECT_EQ(of(buckled_honeycomb(), "3m"), "[[A, 0, 0], [0, A, 0], [0, 0, -2*A]]");
  EXPECT_EQ(of(named("sc"), "m-3m"), "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]");
}

/// The matrices of the six bonds of a tetrahedron (Ross et al.).
TEST(BondImages, OfATetrahedronHavePublishedMatrices) {
  const double J1 = -0.09, J2 = -0.22, J3 = -0.29, J4 = 0.01;
  const Sample sample = named("pyrochlore");
  const Mat3<double> first{{{J2, J4, J4}, {-J4, J1, J3}, {-J4, J3, J1}}};
  const BondOrbit orbit = orbit_in(sample, 0, 1, {0, 0, 0});
  const std::vector<std::pair<std::array<int, 2>, Mat3<double>>> others{
      {{0, 2}, {{{J1, -J4, J3}, {J4, J2, J4}, {J3, -J4, J1}}}},
      {{0, 3}, {{{J1, J3, -J4}, {J3, J1, -J4}, {J4, J4, J2}}}},
      {{1, 2}, {{{J1, -J3, J4}, {-J3, J1, -J4}, {-J4, J4, J2}}}},
      {{1, 3}, {{{J1, J4, -J3}, {-J4, J2, J4}, {-J3, -J4, J1}}}},
      {{2, 3}, {{{J2, -J4, J4}, {J4, J1, -J3}, {-J4, -J3, J1}}}}};
  for (const auto& [atoms, expected] : others) {
    int found = 0;
    for (const BondImage& image : orbit.images) {
      if (image.bond.offset != std::array<int, 3>{0, 0, 0}) continue;
      const Mat3<double> matrix = image.operation.apply(first);
      if (image.bond.from == atoms[0] && image.bond.to == atoms[1]) {
        EXPECT_LT(distance(matrix, expected), 1e-12);
        ++found;
      }
      if (image.bond.from == atoms[1] && image.bond.to == atoms[0]) {
        EXPECT_LT(distance(matrix.transposed(), expected), 1e-12);
        ++found;
      }
    }
    EXPECT_EQ(found, 1) << atoms[0] << " " << atoms[1];
  }
}

// A search for all operations with integer matrices of entries -1, 0 and 1, without spglib.

struct FoundOperation {
  Mat3<double> w;
  Point t;
};

Point rounded(const Point& f) {
  return {f.x - std::round(f.x), f.y - std::round(f.y), f.z - std::round(f.z)};
}

class Search {
 public:
  explicit Search(const Sample& sample) : crystal_(sample.crystal) {
    for (const auto& atom : sample.crystal.basis) add(atom, true);
    for (const auto& atom : sample.surroundings.atoms) add(atom, false);
    cell_ = Mat3<double>{{crystal_.cell[0], crystal_.cell[1], crystal_.cell[2]}}.transposed();
    for (const Mat3<double>& w : rotations_of(cell_))
      for (std::size_t j = 0; j < places_.size(); ++j)
        if (kinds_[j] == kinds_[0] && maps({w, places_[j] - w * places_[0]}))
          operations.push_back({w, places_[j] - w * places_[0]});
  }

  /// Integer matrices that keep all lengths.
  static std::vector<Mat3<double>> rotations_of(const Mat3<double>& cell) {
    const Mat3<double> metric = product(cell.transposed(), cell);
    std::vector<Mat3<double>> found;
    for (int code = 0; code < 19683; ++code) {
      int digits = code;
      double entry[9];
      for (double& e : entry) e = digits % 3 - 1, digits /= 3;
      const Mat3<double> w{{{entry[0], entry[1], entry[2]},
                            {entry[3], entry[4], entry[5]},
                            {entry[6], entry[7], entry[8]}}};
      if (distance(product(product(w.transposed(), metric), w), metric) < 1e-6) found.push_back(w);
    }
    return found;
  }

  /// The operations that map a bond to itself, as rotations, and whether they reverse it.
  std::vector<MatrixOperation> group_of(const StencilBond& bond) const {
    const Point a = crystal_.basis[std::size_t(bond.from)].fractional;
    const Point b = crystal_.basis[std::size_t(bond.to)].fractional +
                    Point{double(bond.offset[0]), double(bond.offset[1]), double(bond.offset[2])};
    std::vector<MatrixOperation> group;
    for (const FoundOperation& it : operations) {
      const Point ia = it.w * a + it.t, ib = it.w * b + it.t;
      const auto is_translate = [&](const Point& from, const Point& to) {
        const Point shift = ia - from;
        return length(rounded(shift)) < 1e-3 && length(ib - to - shift) < 1e-3;
      };
      const Mat3<double> r = product(product(cell_, it.w), inverse(cell_));
      if (is_translate(a, b)) group.push_back({r, false});
      if (is_translate(b, a)) group.push_back({r, true});
    }
    return group;
  }

  std::vector<FoundOperation> operations;

 private:
  void add(const BasisAtom& atom, bool has_spin) {
    places_.push_back(atom.fractional);
    kinds_.push_back((has_spin ? "spin " : "other ") + atom.species);
  }

  bool maps(const FoundOperation& it) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      bool is_there = false;
      for (std::size_t j = 0; j < places_.size() && !is_there; ++j)
        is_there =
            kinds_[i] == kinds_[j] && length(rounded(it.w * places_[i] + it.t - places_[j])) < 1e-4;
      if (!is_there) return false;
    }
    return true;
  }

  Crystal crystal_;
  Mat3<double> cell_{};
  std::vector<Point> places_;
  std::vector<std::string> kinds_;
};

/// The number of free parameters of a representation: the mean of its characters.
std::array<double, 2> parameters_by_traces(const std::vector<MatrixOperation>& group) {
  double symmetric = 0, antisymmetric = 0;
  for (const MatrixOperation& it : group) {
    const double t = trace(it.rotation), of_square = trace(product(it.rotation, it.rotation));
    symmetric += (t * t + of_square) / 2;
    antisymmetric += (it.reverses ? -1 : 1) * (t * t - of_square) / 2;
  }
  const auto order = static_cast<double>(group.size());
  return {symmetric / order, antisymmetric / order};
}

/// Compares all bonds up to a length with the search. @return number of classes of bonds
std::size_t compare_with_search(const Sample& sample, double longest) {
  const SpaceGroup group = space_group(sample.crystal, sample.surroundings);
  const Search search(sample);
  EXPECT_EQ(group.operations.size(), search.operations.size());
  const std::vector<BondOrbit> orbits = orbits_within(group, sample.crystal, longest);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const BondOrbit& orbit : orbits) {
    const std::vector<MatrixOperation> expected = search.group_of(orbit.images.front().bond);
    const MatrixSpace space = allowed_exchange(orbit.group);
    const auto [symmetric, antisymmetric] = parameters_by_traces(expected);
    EXPECT_NEAR(double(space.symmetric.size()), symmetric, 1e-9);
    EXPECT_NEAR(double(space.antisymmetric.size()), antisymmetric, 1e-9);
    EXPECT_EQ(orbit.group.size(), expected.size());
    EXPECT_EQ(orbit.images.size() * expected.size(), search.operations.size());
    // The mean over the group that the search has found leaves every allowed matrix as it is.
    for (const Mat3<double>& matrix : space.all())
      EXPECT_LT(distance(allowed_part(expected, matrix), matrix), 1e-9);
    Mat3<double> any{};
    for (Vec3<double>& row : any.row) row = {normal(random), normal(random), normal(random)};
    const Mat3<double> part = allowed_part(expected, any);
    EXPECT_FALSE(forbidding(orbit.group, part).has_value());
    EXPECT_EQ(forbidding(orbit.group, any).has_value(), space.parameters() < 9);
  }
  return orbits.size();
}

TEST(AllowedExchange, EqualsASearchWithoutSpglib) {
  EXPECT_GE(compare_with_search(iron_iodide(), 9), 4U);
  EXPECT_GE(compare_with_search(langasite(), 9), 8U);
  EXPECT_GE(compare_with_search(named("bcc"), 1.5), 3U);
}

/// A crystal with the images of random atoms under random operations.
Sample random_crystal(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto choose = [&](std::size_t n) { return std::size_t(uniform(random) * double(n)); };
  const double a = 3 + uniform(random), b = 4 + uniform(random), c = 5 + uniform(random);
  const std::array<Point, 3> cells[] = {{{{a, 0, 0}, {0.4, b, 0}, {0.7, -0.5, c}}},  // triclinic
                                        {{{a, 0, 0}, {0, b, 0}, {-0.8, 0, c}}},      // monoclinic
                                        {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}},         // orthorhombic
                                        {{{a, 0, 0}, {0, a, 0}, {0, 0, c}}},         // tetragonal
                                        hexagonal(a, c),
                                        {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}}};
  const std::array<Point, 3> cell = cells[choose(6)];
  const Mat3<double> columns = Mat3<double>{{cell[0], cell[1], cell[2]}}.transposed();
  const std::vector<Mat3<double>> all = Search::rotations_of(columns);
  std::vector<FoundOperation> group{{identity, {0, 0, 0}}};
  const auto add = [&](const FoundOperation& it) {
    for (const FoundOperation& known : group)
      if (distance(known.w, it.w) < 1e-9 && length(rounded(known.t - it.t)) < 1e-9) return false;
    group.push_back(it);
    return true;
  };
  for (int n = 0; n < 2; ++n) {
    const auto half = [&] { return uniform(random) < 0.3 ? 0.5 : 0.0; };
    add({all[choose(all.size())], {half(), half(), half()}});
  }
  for (bool grows = true; grows && group.size() < 200;) {
    grows = false;
    const std::size_t count = group.size();
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 1; j < count; ++j)
        grows =
            add({product(group[i].w, group[j].w), group[i].w * group[j].t + group[i].t}) || grows;
  }
  Sample sample{{"given", cell, {}, 3, {}}, {}};
  for (int n = 0; n < 2; ++n) {
    const Point f{uniform(random), uniform(random), uniform(random)};
    for (const FoundOperation& it : group) {
      Point image = it.w * f + it.t;
      image = {image.x - std::floor(image.x), image.y - std::floor(image.y),
               image.z - std::floor(image.z)};
      if (n == 0)
        sample.crystal.basis.push_back({image, "A", 1});
      else
        sample.surroundings.atoms.push_back({image, "B", 0});
    }
  }
  return sample;
}

TEST(AllowedExchange, OfRandomCrystalsHasTheParametersOfTheTraceFormula) {
  std::mt19937_64 random(11);
  int checked = 0;
  for (int n = 0; checked < 40 && n < 400; ++n) {
    SCOPED_TRACE(n);
    const Sample sample = random_crystal(random);
    if (sample.crystal.basis.size() > 24 ||
        default_tolerance(sample.crystal, sample.surroundings) < 2e-4)
      continue;
    compare_with_search(sample, 4);
    ++checked;
    if (HasFailure()) return;
  }
  EXPECT_EQ(checked, 40);
}

TEST(SpaceGroups, OfOneAtomIsTheHolohedry) {
  const Sample sample = own({{{3, 0, 0}, {0.4, 4, 0}, {0.7, -0.5, 5}}}, {{0.2, 0.3, 0.4}});
  const SpaceGroup group = space_group(sample.crystal);
  EXPECT_EQ(group.number, 2);
  EXPECT_EQ(group.operations.size(), 2U);
  // A bond from an atom to its own image has an inversion centre in the middle.
  const MatrixSpace space = allowed_exchange(orbit_in(sample, 0, 0, {1, -1, 2}).group);
  EXPECT_EQ(space.symmetric.size(), 6U);
  EXPECT_EQ(space.antisymmetric.size(), 0U);
}

TEST(SpaceGroups, OfASupercellHaveTheOperationsOfTheCrystal) {
  const std::array<Point, 3> cell{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Sample sample = own(cell, {{0, 0, 0}, {.5, 0, 0}});
  EXPECT_EQ(space_group(sample.crystal).number, 221);
  EXPECT_EQ(space_group(sample.crystal).operations.size(), 96U);
  for (const auto& [to, offset] : {std::pair{1, std::array{0, 0, 0}}, {0, {0, 1, 0}}}) {
    const BondOrbit orbit = orbit_in(sample, 0, to, offset);
    EXPECT_EQ(orbit.images.size(), 6U);
    EXPECT_EQ(orbit.bonds_at(0), 6);
    EXPECT_EQ(orbit.bonds_at(1), 6);
    EXPECT_EQ(point_group_symbol(orbit.group), "4/mmm");
  }
  // Different species leave only the operations of the larger cell.
  Sample ordered = sample;
  ordered.crystal.basis[1].species = "B";
  EXPECT_EQ(space_group(ordered.crystal).number, 123);
  EXPECT_EQ(space_group(ordered.crystal).operations.size(), 16U);
  Sample moments = sample;
  moments.crystal.basis[1].moment = 2;
  EXPECT_EQ(space_group(moments.crystal).number, 123);
}

TEST(SpaceGroups, OfALeftHandedCellKeepsTheHand) {
  // Atoms on a screw axis 3_1 about c, whose mirror image has 3_2.
  const auto helix = [](double sign) {
    return own(hexagonal(5, 7), {{0.3, 0, 0}, {0, 0.3, sign / 3}, {-0.3, -0.3, 2 * sign / 3}});
  };
  const auto left_handed = [](Sample sample) {
    std::swap(sample.crystal.cell[0], sample.crystal.cell[1]);
    for (BasisAtom& atom : sample.crystal.basis) std::swap(atom.fractional.x, atom.fractional.y);
    return sample;
  };
  for (const auto& [sign, number] : {std::pair{1.0, 152}, {-1.0, 154}}) {
    const Sample sample = helix(sign), other = left_handed(sample);
    EXPECT_EQ(space_group(sample.crystal).number, number);
    EXPECT_EQ(space_group(other.crystal).number, number);
    EXPECT_EQ(letters(allowed_exchange(orbit_in(sample, 0, 1, {0, 0, 0}).group)),
              letters(allowed_exchange(orbit_in(other, 0, 1, {0, 0, 0}).group)));
  }
}

TEST(SpaceGroups, OfChainsMayHaveAxesOfAnyOrder) {
  for (const int order : {3, 5, 7}) {
    SCOPED_TRACE(order);
    std::vector<Point> atoms;
    for (int n = 0; n < order; ++n) {
      const double angle = 0.3 + 2 * std::acos(-1.0) * n / order;
      atoms.push_back({double(n) / order, 0.2 * std::cos(angle), 0.2 * std::sin(angle)});
    }
    const Sample sample = own({{{4, 0, 0}, {0, 9, 0}, {0, 0, 9}}}, atoms, {}, 1);
    const SpaceGroup group = space_group(sample.crystal);
    EXPECT_EQ(group.operations.size(), std::size_t(2 * order));
    const BondOrbit orbit = orbit_in(sample, 0, 1, {0, 0, 0});
    EXPECT_EQ(orbit.images.size(), std::size_t(order));
    // An axis of order 2 through the middle of the bond exchanges its sites.
    EXPECT_EQ(orbit.group.size(), 2U);
    const MatrixSpace space = allowed_exchange(orbit.group);
    EXPECT_EQ(space.symmetric.size(), 4U);
    EXPECT_EQ(space.antisymmetric.size(), 2U);
    // Each image of the bond is as long as the bond.
    for (const BondImage& image : orbit.images)
      EXPECT_NEAR(length(image.bond.r), length(orbit.images.front().bond.r), 1e-9);
  }
}

TEST(SpaceGroups, OfAZigzagChain) {
  const Sample sample =
      own({{{2, 0, 0}, {0, 9, 0}, {0, 0, 9}}}, {{0, 0, 0.05}, {.5, 0, -0.05}}, {}, 1);
  EXPECT_EQ(space_group(sample.crystal).operations.size(), 8U);
  const MatrixSpace bond = allowed_exchange(orbit_in(sample, 0, 1, {0, 0, 0}).group);
  EXPECT_EQ(letters(bond), "[[A, 0, D], [0, B, 0], [D, 0, C]]");
  const MatrixSpace second = allowed_exchange(orbit_in(sample, 0, 0, {1, 0, 0}).group);
  EXPECT_EQ(letters(second), "[[A, 0, -D], [0, B, 0], [D, 0, C]]");
}

TEST(SpaceGroups, WithAMagneticOrderKeepOperationsOfTheOrder) {
  const Sample sample = own({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{0, 0, 0}, {.5, .5, .5}});
  EXPECT_EQ(space_group(sample.crystal, {}, {}).operations.size(), 96U);
  // Opposite moments along z: 4/mmm, also with the translation of the body centre.
  EXPECT_EQ(space_group(sample.crystal, {}, {{0, 0, 2}, {0, 0, -2}}).operations.size(), 32U);
  EXPECT_THROW(space_group(sample.crystal, {}, {{0, 0, 1}}), InputError);
}

TEST(SpaceGroups, RefuseAtomsWithoutSpinsAtImpossiblePlaces) {
  Sample sample = iron_iodide();
  sample.surroundings.atoms.push_back({{1, 0, 0}, "X", 0});
  EXPECT_THROW(space_group(sample.crystal, sample.surroundings), InputError);
  sample.surroundings.atoms.back().fractional.x = std::nan("");
  EXPECT_THROW(space_group(sample.crystal, sample.surroundings), InputError);
}

TEST(SpaceGroups, OfRoundedPositionsAreExactGroups) {
  // Four digits, as users write.
  const Sample sample =
      own({{{1, 0, 0}, {-.5, .8660, 0}, {0, 0, 1.6}}}, {{.3333, .6667, .25}, {.6667, .3333, .75}});
  const SpaceGroup group = space_group(sample.crystal);
  EXPECT_EQ(group.number, 194);
  for (const Operation& a : group.operations)
    for (const Operation& b : group.operations) {
      const Mat3<double> both = product(a.rotation, b.rotation);
      EXPECT_TRUE(std::ranges::any_of(group.operations, [&](const Operation& it) {
        return distance(it.rotation, both) < 1e-12;
      }));
    }
}

class Spreading : public testing::Test {
 protected:
  lattice::Geometry geometry_of(const Sample& sample) const {
    return lattice::make_lattice(sample.crystal, {4, 4, 4}, {true});
  }

  static std::string refusal(const std::function<void()>& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.problem() + " | " + error.remedy();
    }
    return "";
  }
};

TEST_F(Spreading, RefusesAForbiddenMatrixWithTheReason) {
  const Sample sample = iron_iodide();
  const lattice::Geometry geometry = geometry_of(sample);
  lattice::BondSelection selection;
  selection.offset = {{1, 0, 0}};
  const Mat3<double> allowed{{{1, 0, 0}, {0, 2, 0.3}, {0, 0.3, 4}}};
  EXPECT_EQ(spread(selection, "t", geometry, sample.surroundings, "A",
                   [&](const auto&) { return allowed; })
                .size(),
            3U);
  Mat3<double> forbidden = allowed;
  forbidden.row[0].y = 0.5;
  const std::string message = refusal([&] {
    spread(selection, "exchange-tensor", geometry, sample.surroundings, "A",
           [&](const auto&) { return forbidden; });
  });
  EXPECT_TRUE(contains(message, "the symmetry of the bond forbids this coupling"));
  EXPECT_TRUE(contains(message, "about (1, 0, 0)") || contains(message, "normal (1, 0, 0)"));
  EXPECT_TRUE(contains(message, "[[A, 0, 0], [0, B, D], [0, D, C]]"));
}

TEST_F(Spreading, RefusesImagesOfEachOtherAndBondsWithoutOffset) {
  const Sample sample = iron_iodide();
  const lattice::Geometry geometry = geometry_of(sample);
  lattice::BondSelection selection;
  selection.offset = {{1, 0, 0}, {0, 1, 0}};
  EXPECT_TRUE(contains(refusal([&] { spread(selection, "t", geometry, sample.surroundings); }),
                       "images of each other"));
  selection.offset.clear();
  selection.shell = 1;
  EXPECT_TRUE(contains(refusal([&] { spread(selection, "t", geometry, sample.surroundings); }),
                       "needs bonds that atoms and offset name"));
}

TEST_F(Spreading, MakesMatricesOfFewDigitsExact) {
  const Sample sample = named("pyrochlore");
  lattice::BondSelection selection;
  selection.atoms = {0, 1};
  selection.offset = {{0, 0, 0}};
  const Mat3<double> rounded_matrix{{{1, 0.1, 0.1}, {-0.1, 0.3333, 0.2}, {-0.1, 0.2, 0.3334}}};
  const auto bonds = spread(selection, "t", geometry_of(sample), {}, "A",
                            [&](const auto&) { return rounded_matrix; });
  EXPECT_NEAR(bonds.front().matrix.row[1].y, 0.33335, 1e-15);
  EXPECT_NEAR(bonds.front().matrix.row[2].z, 0.33335, 1e-15);
}

TEST(Letters, NameFactorsWithRoots) {
  const std::vector<Mat3<double>> basis{{{{1, -root3 / 2, 0}, {-root3, 0.5, 0}, {0, 0, 2.0 / 3}}},
                                        {{{0, 1, 0}, {1, 0, 0.123456}, {0, 0, -1}}}};
  const auto entries = with_letters(basis);
  EXPECT_EQ(entries[0][0], "A");
  EXPECT_EQ(entries[0][1], "-sqrt(3)*A/2 + B");
  EXPECT_EQ(entries[1][0], "-sqrt(3)*A + B");
  EXPECT_EQ(entries[1][1], "A/2");
  EXPECT_EQ(entries[1][2], "0.123456*B");
  EXPECT_EQ(entries[2][2], "2*A/3 - B");
  EXPECT_EQ(letter(25), "Z");
  EXPECT_EQ(letter(26), "A1");
}

TEST(CouplingTables, HaveTheAllowedMatrix) {
  EXPECT_EQ(exchange_table(orbit_in(iron_iodide(), 0, 0, {1, 0, 0}), reduced_zero),
            "[[exchange-tensor]]\nsymmetry = \"crystal\"\natoms = [0, 0]\noffset = [[1, 0, 0]]\n"
            "A = [[\"A\", 0, 0], [0, \"B\", \"D\"], [0, \"D\", \"C\"]]\n");
}

}  // namespace
}  // namespace larmor::symmetry
