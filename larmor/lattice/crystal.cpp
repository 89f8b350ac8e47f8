#include "larmor/lattice/crystal.hpp"

#include <cmath>
#include <numbers>

#include "larmor/core/input/suggest.hpp"
#include "larmor/lattice/input.hpp"
#include "larmor/lattice/length_limits.hpp"

namespace larmor::lattice {
namespace {

using Point = Vec3<double>;

std::vector<BasisAtom> atoms_at(const std::vector<Point>& positions) {
  std::vector<BasisAtom> basis;
  for (const Point& p : positions) basis.push_back({p, "A", 1});
  return basis;
}

std::array<Point, 3> cubic_cell(double a) { return {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}}; }

std::array<Point, 3> hexagonal_cell(double a) {
  return {{{a, 0, 0}, {-a / 2, a * std::sqrt(3.0) / 2, 0}, {0, 0, a}}};
}

const std::vector<Point> fcc_sites{{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};

/// Adds each vector of `decoration` to each fcc site.
std::vector<Point> decorated_fcc(const std::vector<Point>& decoration) {
  std::vector<Point> sites;
  for (const Point& site : fcc_sites)
    for (const Point& d : decoration) sites.push_back(site + d);
  return sites;
}

Crystal make(std::string_view type, std::array<Point, 3> cell, const std::vector<Point>& sites,
             int dimensions) {
  return {std::string(type), cell, atoms_at(sites), dimensions, wave_vectors_of_lattice(type)};
}

Crystal planar_crystal(std::string_view type, double a) {
  if (type == "chain") return make(type, cubic_cell(a), {{0, 0, 0}}, 1);
  if (type == "square") return make(type, cubic_cell(a), {{0, 0, 0}}, 2);
  // The angle between the vectors is 120 degrees, so the atoms of a honeycomb are at (1/3, 2/3) and
  // (2/3, 1/3).
  if (type == "triangular") return make(type, hexagonal_cell(a), {{0, 0, 0}}, 2);
  if (type == "honeycomb")
    return make(type, hexagonal_cell(a), {{1.0 / 3, 2.0 / 3, 0}, {2.0 / 3, 1.0 / 3, 0}}, 2);
  return make(type, hexagonal_cell(a), {{.5, 0, 0}, {0, .5, 0}, {.5, .5, 0}}, 2);
}

double determinant(const std::array<Point, 3>& m) { return dot(m[0], cross(m[1], m[2])); }

}  // namespace

Vec3<double> Crystal::cartesian(const Vec3<double>& f) const {
  return f.x * cell[0] + f.y * cell[1] + f.z * cell[2];
}

std::array<Vec3<double>, 3> Crystal::reciprocal() const {
  const double scale = 2 * std::numbers::pi / determinant(cell);
  return {scale * cross(cell[1], cell[2]), scale * cross(cell[2], cell[0]),
          scale * cross(cell[0], cell[1])};
}

Vec3<double> Crystal::fractional(const Vec3<double>& r) const {
  const auto b = reciprocal();
  const double scale = 1 / (2 * std::numbers::pi);
  return {scale * dot(b[0], r), scale * dot(b[1], r), scale * dot(b[2], r)};
}

std::vector<std::string> crystal_names() {
  return {"chain", "square", "triangular", "honeycomb", "kagome",
          "sc",    "bcc",    "fcc",        "diamond",   "pyrochlore"};
}

Crystal named_crystal(std::string_view type, double a) {
  if (type == "sc") return make(type, cubic_cell(a), {{0, 0, 0}}, 3);
  if (type == "bcc") return make(type, cubic_cell(a), {{0, 0, 0}, {.5, .5, .5}}, 3);
  if (type == "fcc") return make(type, cubic_cell(a), fcc_sites, 3);
  if (type == "diamond")
    return make(type, cubic_cell(a), decorated_fcc({{0, 0, 0}, {.25, .25, .25}}), 3);
  if (type == "pyrochlore")
    return make(type, cubic_cell(a),
                decorated_fcc({{0, 0, 0}, {0, .25, .25}, {.25, 0, .25}, {.25, .25, 0}}), 3);
  const std::vector<std::string> names = crystal_names();
  for (const std::string& name : names)
    if (name == type) return planar_crystal(type, a);
  throw InputError("no lattice is called \"" + std::string(type) + "\"",
                   hint_and_list(type, names));
}

void validate(const Crystal& crystal) {
  for (const Point& a : crystal.cell)
    if (!std::isfinite(a.x + a.y + a.z))
      throw LatticeKeyError("cell", "the cell has a vector that is not finite",
                            "give three finite vectors");
  const double volume = std::abs(determinant(crystal.cell));
  double product = 1;
  for (const Point& a : crystal.cell) {
    product *= length(a);
    if (!within_length_limits(a))
      throw LatticeKeyError(
          "cell", "the cell has a vector that is too long or too short",
          std::string("give the vectors in another unit of length: ") + length_limits);
  }
  if (!(volume > 1e-9 * product))
    throw LatticeKeyError("cell", "the vectors of the cell lie in a plane or vanish",
                          "give three linearly independent vectors, also for a planar lattice");
  if (crystal.basis.empty())
    throw LatticeKeyError("basis", "the cell has no atoms", "give at least one basis position");
  const double tolerance = 1e-6 * std::cbrt(volume);
  for (std::size_t i = 0; i < crystal.basis.size(); ++i) {
    const Point& f = crystal.basis[i].fractional;
    if (!std::isfinite(f.x + f.y + f.z))
      throw LatticeKeyError(
          "basis", "basis atom " + std::to_string(i) + " has a position that is not finite",
          "give three finite fractions");
    for (std::size_t j = 0; j < i; ++j) {
      Point d = f - crystal.basis[j].fractional;
      d = {d.x - std::round(d.x), d.y - std::round(d.y), d.z - std::round(d.z)};
      const Point r = crystal.cartesian(d);
      if (length(r) < tolerance)
        throw LatticeKeyError("basis",
                              "basis atoms " + std::to_string(j) + " and " + std::to_string(i) +
                                  " have equal positions",
                              "remove one of the two atoms");
    }
  }
}

}  // namespace larmor::lattice
