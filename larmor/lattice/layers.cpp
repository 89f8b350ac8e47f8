#include "larmor/lattice/layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "larmor/core/input/units.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

/// Distance between the layers of cells.
double cell_height(const Crystal& crystal) {
  const Vec3<double> normal = larmor::cross(crystal.cell[0], crystal.cell[1]);
  return std::abs(larmor::dot(normal, crystal.cell[2])) / length(normal);
}

/// Distance of nearest neighbours in the infinite crystal.
double nearest_distance(const Crystal& crystal) {
  // Number of cells to search in each direction. It also suffices for skewed cells.
  constexpr int reach = 2;
  const auto reciprocal = crystal.reciprocal();
  std::array<double, 3> heights{};
  std::array<int, 3> most{};
  for (std::size_t d = 0; d < 3; ++d) {
    heights[d] = 2 * M_PI / length(reciprocal[d]);
    most[d] = static_cast<int>(d) < crystal.dimensions ? reach : 0;
  }
  double least = std::numeric_limits<double>::infinity();
  // In a large basis, most pairs are farther apart than `least` in one component, which excludes
  // them quickly.
  const auto nearer = [&](double fraction, std::size_t d) {
    return std::abs(fraction) * heights[d] < least;
  };
  for (std::size_t i = 0; i < crystal.basis.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      Vec3<double> f = crystal.basis[j].fractional - crystal.basis[i].fractional;
      f.x -= std::round(f.x);
      if (crystal.dimensions > 1) f.y -= std::round(f.y);
      if (crystal.dimensions > 2) f.z -= std::round(f.z);
      for (int z = -most[2]; z <= most[2]; ++z) {
        if (!nearer(f.z + z, 2)) continue;
        for (int y = -most[1]; y <= most[1]; ++y) {
          if (!nearer(f.y + y, 1)) continue;
          for (int x = -most[0]; x <= most[0]; ++x) {
            if (i == j && x == 0 && y == 0 && z == 0) continue;
            if (!nearer(f.x + x, 0)) continue;
            least = std::min(least, length(crystal.cartesian({f.x + x, f.y + y, f.z + z})));
          }
        }
      }
    }
  return least;
}

/// Basis atoms of one height. Unit: cells along the third vector.
struct Level {
  double height;
  Layer members;
};

/// Levels of all basis atoms, lowest first.
std::vector<Level> levels_of(const Crystal& crystal) {
  const double height = cell_height(crystal);
  const double volume = height * length(larmor::cross(crystal.cell[0], crystal.cell[1]));
  const double tolerance = 1e-6 * std::cbrt(volume) / height;
  struct Placed {
    double height;
    LayerAtom member;
  };
  std::vector<Placed> atoms;
  for (std::size_t b = 0; b < crystal.basis.size(); ++b) {
    const double z = crystal.basis[b].fractional.z;
    // If the third vector does not repeat, heights are not folded into one cell.
    const double level = crystal.dimensions == 3 ? std::floor(z + tolerance) : 0;
    atoms.push_back({z - level, {static_cast<int>(b), static_cast<Index>(level)}});
  }
  std::stable_sort(atoms.begin(), atoms.end(),
                   [](const Placed& a, const Placed& b) { return a.height < b.height; });
  std::vector<Level> levels;
  for (const Placed& atom : atoms) {
    if (levels.empty() || atom.height - levels.back().height > tolerance)
      levels.push_back({atom.height, {}});
    levels.back().members.push_back(atom.member);
  }
  return levels;
}

/// Does the layer at the top of one cell continue at the bottom of the next?
bool continues_in_next_cell(const Geometry& geometry, const std::vector<Level>& levels,
                            double limit) {
  if (geometry.crystal.dimensions < 3) return false;
  const Level& lowest = levels.front();
  const Level& highest = levels.back();
  if (lowest.height + 1 - highest.height >= limit) return false;
  // At an open boundary, layers continue only if the positions of their atoms are a cell apart.
  const auto above = [&](const LayerAtom& low) {
    return std::all_of(highest.members.begin(), highest.members.end(),
                       [&](const LayerAtom& high) { return high.level + 1 == low.level; });
  };
  return geometry.periodic[2] || std::all_of(lowest.members.begin(), lowest.members.end(), above);
}

/// Chains of levels whose neighbours are closer than `limit`, lowest first.
std::vector<std::vector<Level>> chains_of(const Geometry& geometry, double limit) {
  const std::vector<Level> levels = levels_of(geometry.crystal);
  std::vector<std::vector<Level>> chains;
  for (const Level& level : levels) {
    if (chains.empty() || level.height - chains.back().back().height >= limit)
      chains.emplace_back();
    chains.back().push_back(level);
  }
  if (!continues_in_next_cell(geometry, levels, limit)) return chains;
  // The lowest chain, one cell higher, continues the highest one. A single chain is then infinite.
  std::vector<Level> above = chains.front();
  for (Level& level : above) {
    level.height += 1;
    for (LayerAtom& member : level.members) --member.level;
  }
  if (chains.size() > 1) chains.erase(chains.begin());
  chains.back().insert(chains.back().end(), above.begin(), above.end());
  return chains;
}

}  // namespace

std::vector<Layer> layers_of(const Geometry& geometry, std::optional<double> thickness) {
  const Crystal& crystal = geometry.crystal;
  // A layer exactly as thick as the limit is too thick, despite rounding.
  const double limit = (1 - 1e-9) *
                       thickness.value_or(usual_layer_thickness * nearest_distance(crystal)) /
                       cell_height(crystal);
  const std::vector<std::vector<Level>> chains = chains_of(geometry, limit);
  const auto is_layer = [&](const std::vector<Level>& chain) {
    // A chain that is one cell thick is infinite.
    return chain.size() == 1 || chain.back().height - chain.front().height < std::min(limit, 1.0);
  };
  std::vector<Layer> layers;
  for (const std::vector<Level>& chain : chains) {
    if (is_layer(chain)) {
      layers.emplace_back();
      for (const Level& level : chain)
        layers.back().insert(layers.back().end(), level.members.begin(), level.members.end());
      continue;
    }
    if (thickness)
      throw LatticeKeyError(
          "layer_thickness",
          "layers cannot be distinguished: sites whose heights differ by less than " +
              number_text(*thickness) + " form a chain that is at least this thick",
          "give a smaller layer_thickness");
    // A chain that is infinite holds each level twice, so the levels of one cell replace it.
    const std::vector<Level> levels = chains.size() == 1 ? levels_of(crystal) : chain;
    for (const Level& level : levels) layers.push_back(level.members);
  }
  return layers;
}

}  // namespace larmor::lattice
