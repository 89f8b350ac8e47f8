// Pairs of plain positions, found with cell lists.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

/// Sites sorted into boxes that are at least `cutoff` wide along each lattice vector.
class BoxList {
 public:
  BoxList(const Geometry& geometry, double cutoff) : geometry_(geometry) {
    const Index sites = geometry.sites();
    Vec3<double> low{0, 0, 0}, high{1, 1, 1};
    for (Index i = 0; i < sites; ++i) {
      const Vec3<double> f = fraction(i);
      low = {std::min(low.x, f.x), std::min(low.y, f.y), std::min(low.z, f.z)};
      high = {std::max(high.x, f.x), std::max(high.y, f.y), std::max(high.z, f.z)};
    }
    origin_ = low;
    extent_ = high - low;
    const auto b = geometry.crystal.reciprocal();
    const double widest = std::cbrt(static_cast<double>(sites)) + 1;
    const double extent[3] = {extent_.x, extent_.y, extent_.z};
    for (std::size_t d = 0; d < 3; ++d) {
      const double height = extent[d] * 2 * M_PI / length(b[d]);
      boxes_[d] = std::max<Index>(1, static_cast<Index>(std::min(height / cutoff, widest)));
    }
    content_.resize(static_cast<std::size_t>(boxes_[0] * boxes_[1] * boxes_[2]));
    for (Index i = 0; i < sites; ++i) content_[index(box_of(i))].push_back(i);
  }

  /// Calls visit(j) for each site of the box of i and the 26 boxes around it, each box once.
  template <class Visit>
  void around(Index i, const Visit& visit) const {
    const std::array<Index, 3> centre = box_of(i);
    std::vector<std::size_t> seen;
    for (Index z = -1; z <= 1; ++z)
      for (Index y = -1; y <= 1; ++y)
        for (Index x = -1; x <= 1; ++x) {
          std::array<Index, 3> box{centre[0] + x, centre[1] + y, centre[2] + z};
          if (!wrap(box)) continue;
          const std::size_t n = index(box);
          if (std::find(seen.begin(), seen.end(), n) != seen.end()) continue;
          seen.push_back(n);
          for (const Index j : content_[n]) visit(j);
        }
  }

 private:
  /// Fractional position, folded into the box along periodic vectors.
  Vec3<double> fraction(Index i) const {
    Vec3<double> f = geometry_.crystal.basis[static_cast<std::size_t>(i)].fractional;
    double* component[3] = {&f.x, &f.y, &f.z};
    for (std::size_t d = 0; d < 3; ++d)
      if (geometry_.periodic[d]) *component[d] -= std::floor(*component[d]);
    return f;
  }
  std::array<Index, 3> box_of(Index i) const {
    const Vec3<double> f = fraction(i) - origin_;
    const double fractions[3] = {f.x / extent_.x, f.y / extent_.y, f.z / extent_.z};
    std::array<Index, 3> box{};
    for (std::size_t d = 0; d < 3; ++d)
      box[d] = std::clamp<Index>(static_cast<Index>(fractions[d] * static_cast<double>(boxes_[d])),
                                 0, boxes_[d] - 1);
    return box;
  }
  bool wrap(std::array<Index, 3>& box) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (box[d] >= 0 && box[d] < boxes_[d]) continue;
      if (!geometry_.periodic[d]) return false;
      box[d] = (box[d] + boxes_[d]) % boxes_[d];
    }
    return true;
  }
  std::size_t index(const std::array<Index, 3>& box) const {
    return static_cast<std::size_t>(box[0] + boxes_[0] * (box[1] + boxes_[1] * box[2]));
  }

  const Geometry& geometry_;
  Vec3<double> origin_{}, extent_{};
  std::array<Index, 3> boxes_{};
  std::vector<std::vector<Index>> content_;
};

/// Half the smallest height of the periodic box. A longer pair has several images.
double largest_cutoff(const Geometry& geometry) {
  const auto b = geometry.crystal.reciprocal();
  double half = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.periodic[d]) half = std::min(half, M_PI / length(b[d]));
  return half;
}

/// An upper bound of the distance between two sites.
double largest_distance(const Geometry& geometry) {
  Vec3<double> low = geometry.position(0), high = low;
  for (Index i = 1; i < geometry.sites(); ++i) {
    const Vec3<double> r = geometry.position(i);
    low = {std::min(low.x, r.x), std::min(low.y, r.y), std::min(low.z, r.z)};
    high = {std::max(high.x, r.x), std::max(high.y, r.y), std::max(high.z, r.z)};
  }
  return length(high - low);
}

void require_within_box(const Geometry& geometry, double cutoff) {
  if (cutoff > largest_cutoff(geometry))
    throw InputError("bonds of length " + std::to_string(cutoff) +
                         " are longer than half the height of the periodic box",
                     "use a larger box, or open the boundaries of the box");
}

/// Calls visit(bond) for each pair with `i` as its lower site, in any order.
template <class Visit>
void visit_pairs(const Geometry& geometry, const BoxList& boxes, double cutoff, Index i,
                 const Visit& visit) {
  boxes.around(i, [&](Index j) {
    if (j <= i) return;
    const Vec3<double> r = separation(geometry, i, j);
    if (length(r) <= cutoff) visit(PairBond{i, j, r});
  });
}

}  // namespace

std::optional<PairBond> find_pair_within(const Geometry& geometry, double cutoff,
                                         const std::function<bool(const PairBond&)>& wanted) {
  require_within_box(geometry, cutoff);
  const BoxList boxes(geometry, cutoff);
  for (Index i = 0; i < geometry.sites(); ++i) {
    std::optional<PairBond> first;
    visit_pairs(geometry, boxes, cutoff, i, [&](const PairBond& bond) {
      if ((!first || bond.j < first->j) && wanted(bond)) first = bond;
    });
    if (first) return first;
  }
  return std::nullopt;
}

void for_each_pair_within(const Geometry& geometry, double cutoff,
                          const std::function<void(const PairBond&)>& visit) {
  require_within_box(geometry, cutoff);
  const BoxList boxes(geometry, cutoff);
  for (Index i = 0; i < geometry.sites(); ++i) visit_pairs(geometry, boxes, cutoff, i, visit);
}

double farthest_pair(const Geometry& geometry) {
  // Open boundaries set no limit, but no pair is longer than the extent of the positions.
  return std::min(largest_cutoff(geometry), 1.01 * largest_distance(geometry));
}

std::vector<PairBond> pairs_within(const Geometry& geometry, double cutoff,
                                   const SpeciesPair& between) {
  require_within_box(geometry, cutoff);
  const BoxList boxes(geometry, cutoff);
  std::vector<PairBond> bonds;
  for (Index i = 0; i < geometry.sites(); ++i)
    visit_pairs(geometry, boxes, cutoff, i, [&](const PairBond& bond) {
      if (may_join(geometry, bond.i, bond.j, between)) bonds.push_back(bond);
    });
  std::sort(bonds.begin(), bonds.end(), [](const PairBond& a, const PairBond& b) {
    return a.i != b.i ? a.i < b.i : a.j < b.j;
  });
  return bonds;
}

namespace {

/// The distance of a shell, if it lies within `cutoff`. Pairs are not stored: if clusters lie far
/// apart, nearly all pairs may be within the cutoff.
std::optional<double> shell_distance(const Geometry& geometry, double cutoff, int shell,
                                     const SpeciesPair& between) {
  const BoxList boxes(geometry, cutoff);
  double distance = -1;
  for (int found = 0; found < shell; ++found) {
    double next = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < geometry.sites(); ++i)
      visit_pairs(geometry, boxes, cutoff, i, [&](const PairBond& bond) {
        const double d = length(bond.r);
        if (d > distance * (1 + input_tolerance) && d < next &&
            may_join(geometry, bond.i, bond.j, between))
          next = d;
      });
    if (next * (1 + input_tolerance) > cutoff) return std::nullopt;
    distance = next;
  }
  return distance;
}

[[noreturn]] void refuse_shell(const Geometry& geometry, int shell, double limit) {
  const std::string number = "shell " + std::to_string(shell);
  if (limit < largest_cutoff(geometry))
    throw InputError("there is no " + number + " among these positions", "name the bonds by pairs");
  throw InputError(fmt::format("{} is not within half of the periodic box, {:.6g}: a site would "
                               "couple with several images of another site",
                               number, limit),
                   "use a larger box, or open the boundaries of the box");
}

}  // namespace

std::vector<PairBond> pairs_by_shell(const Geometry& geometry, int shell,
                                     const SpeciesPair& between) {
  const auto b = geometry.crystal.reciprocal();
  const double volume = std::pow(2 * M_PI, 3) / std::abs(dot(b[0], cross(b[1], b[2])));
  const double limit = farthest_pair(geometry);
  for (double cutoff = 1.2 * std::cbrt(volume / static_cast<double>(geometry.sites()));;
       cutoff *= 1.5) {
    cutoff = std::min(cutoff, limit);
    if (const auto distance = shell_distance(geometry, cutoff, shell, between)) {
      std::vector<PairBond> bonds =
          pairs_within(geometry, *distance * (1 + input_tolerance), between);
      std::erase_if(bonds, [&](const PairBond& bond) { return length(bond.r) < *distance; });
      return bonds;
    }
    if (cutoff >= limit) refuse_shell(geometry, shell, limit);
  }
}

}  // namespace larmor::lattice
