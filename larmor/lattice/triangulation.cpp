#include "larmor/lattice/triangulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor::lattice {
namespace {

struct PlanePoint {
  double x, y;
};

PlanePoint operator-(const PlanePoint& a, const PlanePoint& b) { return {a.x - b.x, a.y - b.y}; }
double dot(const PlanePoint& a, const PlanePoint& b) { return a.x * b.x + a.y * b.y; }
double cross(const PlanePoint& a, const PlanePoint& b) { return a.x * b.y - a.y * b.x; }
PlanePoint combine(double s, const PlanePoint& a, double t, const PlanePoint& b) {
  return {s * a.x + t * b.x, s * a.y + t * b.y};
}

/// A site relative to a cell: basis atom and the offset of its own cell.
struct Corner {
  int basis;
  std::array<Index, 3> offset;

  friend auto operator<=>(const Corner&, const Corner&) = default;
};
using Stencil = std::array<Corner, 3>;

/// The projected lattice vectors, in an orthonormal frame of the plane of the first two vectors.
/// The frame is right-handed as seen from +z.
std::array<PlanePoint, 3> vectors_in_plane(const Crystal& crystal) {
  const Vec3<double>& a = crystal.cell[0];
  const Vec3<double>& b = crystal.cell[1];
  const Vec3<double> normal = larmor::cross(a, b);
  if (std::abs(normal.z) < 1e-9 * length(normal))
    throw InputError("the layers of the lattice contain the z direction",
                     "rotate the cell so that z is not in the plane of its first two vectors");
  const double side = normal.z > 0 ? 1 : -1;
  const double width = length(a);
  const Vec3<double>& c = crystal.cell[2];
  const double across = larmor::dot(larmor::cross(a, c), normal) / length(normal);
  return {{{width, 0},
           {larmor::dot(a, b) / width, side * length(normal) / width},
           {larmor::dot(a, c) / width, side * across / width}}};
}

/// Moves a point by a small strain, which breaks ties between sites on one circle. The strain
/// direction is not a symmetry direction.
PlanePoint strained(const PlanePoint& p) {
  constexpr double strain = 1e-6;
  constexpr double direction = 0.2718281828;
  const double stretch = strain * std::cos(direction), shear = strain * std::sin(direction);
  return {p.x + stretch * p.x + shear * p.y, p.y + shear * p.x - stretch * p.y};
}

/// Shortest vectors of a planar lattice, and their integer coordinates in the given vectors.
struct ReducedCell {
  std::array<PlanePoint, 2> vector;
  std::array<std::array<Index, 2>, 2> coordinates{{{1, 0}, {0, 1}}};
};

/// Lagrange's reduction.
ReducedCell reduce(const std::array<PlanePoint, 2>& cell) {
  ReducedCell r{cell};
  while (true) {
    if (dot(r.vector[0], r.vector[0]) > dot(r.vector[1], r.vector[1])) {
      std::swap(r.vector[0], r.vector[1]);
      std::swap(r.coordinates[0], r.coordinates[1]);
    }
    const double times = std::round(dot(r.vector[0], r.vector[1]) / dot(r.vector[0], r.vector[0]));
    if (times == 0) return r;
    const PlanePoint shorter = combine(1, r.vector[1], -times, r.vector[0]);
    if (!(dot(shorter, shorter) < dot(r.vector[1], r.vector[1]))) return r;
    r.vector[1] = shorter;
    for (std::size_t d = 0; d < 2; ++d)
      r.coordinates[1][d] -= static_cast<Index>(times) * r.coordinates[0][d];
  }
}

/// The triangles that begin in one cell. Their translates cover the plane once.
class LayerTriangulation {
 public:
  LayerTriangulation(const Crystal& crystal, const Layer& layer)
      : crystal_(crystal), layer_(layer), cell_(vectors_in_plane(crystal)) {
    for (PlanePoint& a : cell_) a = strained(a);
    reduced_ = reduce({cell_[0], cell_[1]});
    area_ = std::abs(cross(reduced_.vector[0], reduced_.vector[1]));
  }

  std::vector<Stencil> triangles() const {
    std::set<Stencil> found;
    for (const LayerAtom& centre : layer_) add_star(centre, found);
    // Euler's formula on the torus of one cell.
    if (found.size() != 2 * layer_.size())
      throw InputError("a layer could not be triangulated: some of its sites nearly coincide",
                       "check the basis positions");
    return {found.begin(), found.end()};
  }

 private:
  struct Neighbour {
    PlanePoint r;  ///< position relative to the centre of the star
    Corner corner;
  };

  /// Visits the Delaunay neighbours of a site in order, once around.
  void add_star(const LayerAtom& centre, std::set<Stencil>& found) const {
    const std::vector<Neighbour> around = neighbours(centre);
    // The nearest neighbour is always a Delaunay neighbour.
    const Neighbour* first = &*std::min_element(
        around.begin(), around.end(),
        [](const auto& a, const auto& b) { return dot(a.r, a.r) < dot(b.r, b.r); });
    const Neighbour* from = first;
    for (std::size_t turn = 0; turn < around.size(); ++turn) {
      const Neighbour* to = apex(around, *from);
      if (to == nullptr) return;
      found.insert(canonical({{{centre.basis, {0, 0, -centre.level}}, from->corner, to->corner}}));
      from = to;
      if (from == first) return;
    }
  }

  /// The site left of the line from the centre to `q` from which the centre and `q` appear under
  /// the largest angle. The circle through these three sites contains no other site on that side.
  static const Neighbour* apex(const std::vector<Neighbour>& around, const Neighbour& q) {
    const Neighbour* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Neighbour& s : around) {
      const double left = cross(q.r, s.r);
      if (!(left > 0)) continue;
      const double cotangent = dot(s.r, s.r - q.r) / left;
      if (cotangent < least) {
        least = cotangent;
        best = &s;
      }
    }
    return best;
  }

  /// All sites of the layer that can be Delaunay neighbours. Any point has a site within |r2| /
  /// sqrt(2), where r2 is the longer reduced vector. So neighbours are at most twice |r2| / sqrt(2)
  /// apart.
  std::vector<Neighbour> neighbours(const LayerAtom& centre) const {
    const std::array<PlanePoint, 2>& r = reduced_.vector;
    const double reach = 1.5 * std::sqrt(dot(r[1], r[1]));
    const double extent_0 = reach * std::sqrt(dot(r[1], r[1])) / area_;
    const double extent_1 = reach * std::sqrt(dot(r[0], r[0])) / area_;
    std::vector<Neighbour> around;
    for (const LayerAtom& other : layer_) {
      const PlanePoint d = in_plane(other) - in_plane(centre);
      const double turn = cross(r[0], r[1]);
      const double c0 = cross(d, r[1]) / turn, c1 = cross(r[0], d) / turn;
      for (double m = std::ceil(-extent_0 - c0); m <= extent_0 - c0; ++m) {
        for (double n = std::ceil(-extent_1 - c1); n <= extent_1 - c1; ++n) {
          if (other.basis == centre.basis && m == 0 && n == 0) continue;
          const PlanePoint p = combine(m + c0, r[0], n + c1, r[1]);
          if (dot(p, p) > reach * reach) continue;
          around.push_back({p, {other.basis, offset(m, n, -other.level)}});
        }
      }
    }
    return around;
  }

  /// Position within the plane of the atom whose layer is the layer of the cell at the origin. This
  /// atom is in the cell at -level along the third vector.
  PlanePoint in_plane(const LayerAtom& atom) const {
    const Vec3<double>& f = crystal_.basis[static_cast<std::size_t>(atom.basis)].fractional;
    return combine(1, combine(f.x, cell_[0], f.y, cell_[1]), f.z - static_cast<double>(atom.level),
                   cell_[2]);
  }

  /// m r1 + n r2, where r1 and r2 are the reduced vectors, in cells along the given lattice
  /// vectors.
  std::array<Index, 3> offset(double m, double n, Index level) const {
    const auto& c = reduced_.coordinates;
    const auto i = static_cast<Index>(m), j = static_cast<Index>(n);
    return {i * c[0][0] + j * c[1][0], i * c[0][1] + j * c[1][1], level};
  }

  /// One of the three cyclic orders of the corners. It is unique, and its first corner is in the
  /// cell at the origin.
  static Stencil canonical(const Stencil& triangle) {
    const auto begun_at = [&](std::size_t k) {
      Stencil moved{{triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]}};
      const auto origin = moved[0].offset;
      for (Corner& corner : moved)
        for (std::size_t d = 0; d < 2; ++d) corner.offset[d] -= origin[d];
      return moved;
    };
    return std::min({begun_at(0), begun_at(1), begun_at(2)});
  }

  const Crystal& crystal_;
  const Layer& layer_;
  std::array<PlanePoint, 3> cell_;
  ReducedCell reduced_;
  double area_ = 0;
};

/// Range of cells along the third vector with layers. If an atom is written outside its cell, its
/// layer lies below or above the cells. An open boundary does not fold this layer back.
std::pair<Index, Index> layer_range(const Geometry& geometry, const std::vector<Layer>& layers) {
  Index first = 0, last = geometry.size[2] - 1;
  if (geometry.periodic[2]) return {first, last};
  for (const Layer& layer : layers)
    for (const LayerAtom& atom : layer) {
      first = std::min(first, atom.level);
      last = std::max(last, geometry.size[2] - 1 + atom.level);
    }
  return {first, last};
}

/// Site of a corner, or -1 beyond an open boundary.
Index site_of(const Geometry& geometry, const Corner& corner, const std::array<Index, 3>& cell) {
  std::array<Index, 3> shifted{};
  for (std::size_t d = 0; d < 3; ++d) {
    shifted[d] = cell[d] + corner.offset[d];
    const Index size = geometry.size[d];
    if (geometry.periodic[d]) shifted[d] = (shifted[d] % size + size) % size;
    if (shifted[d] < 0 || shifted[d] >= size) return -1;
  }
  return geometry.site(corner.basis, shifted[0], shifted[1], shifted[2]);
}

}  // namespace

std::vector<Triangle> triangulate_layers(const Geometry& geometry,
                                         std::optional<double> thickness) {
  if (!geometry.is_lattice())
    throw InputError("plain positions have no layers to be triangulated",
                     "give the lattice by type, or by cell and basis");
  if (geometry.crystal.dimensions < 2)
    throw InputError("a lattice of one dimension has no layers to be triangulated",
                     "use a lattice of two or three dimensions");
  std::vector<std::vector<Stencil>> stencils;
  const std::vector<Layer> layers = layers_of(geometry, thickness);
  for (const Layer& layer : layers)
    stencils.push_back(LayerTriangulation(geometry.crystal, layer).triangles());
  std::vector<Triangle> triangles;
  triangles.reserve(static_cast<std::size_t>(2 * geometry.sites()));
  const auto [first, last] = layer_range(geometry, layers);
  for (Index z = first; z <= last; ++z)
    for (const std::vector<Stencil>& layer : stencils)
      for (Index y = 0; y < geometry.size[1]; ++y)
        for (Index x = 0; x < geometry.size[0]; ++x)
          for (const Stencil& stencil : layer) {
            Triangle triangle{};
            for (std::size_t k = 0; k < 3; ++k)
              triangle[k] = site_of(geometry, stencil[k], {x, y, z});
            if (std::find(triangle.begin(), triangle.end(), -1) == triangle.end())
              triangles.push_back(triangle);
          }
  return triangles;
}

}  // namespace larmor::lattice
