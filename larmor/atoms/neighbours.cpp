#include "larmor/atoms/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

using Image = std::array<std::int32_t, 3>;

/// A box that is so much smaller than the cutoff is a mistake in the units.
constexpr int most_images = 100;

/// Atoms sorted into cells that divide the box, in fractional coordinates. An open direction is
/// divided between its outermost atoms.
class Cells {
 public:
  Cells(const Box& box, std::span<const Vec3<double>> positions, double cutoff)
      : box_(box), place_(positions.size()) {
    std::array<double, 3> low{}, extent{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) {
      if (!box.periodic[d]) spread(positions, d, low[d], extent[d]);
      const double height = box.height(d) * extent[d];
      // No more cells than atoms along a direction: a cutoff may be tiny.
      const double most = std::ceil(std::cbrt(static_cast<double>(positions.size()))) + 1;
      count_[d] = static_cast<std::int32_t>(std::clamp(std::floor(height / cutoff), 1.0, most));
      const double reach = std::ceil(cutoff * count_[d] / height);
      reach_[d] =
          static_cast<std::int32_t>(box.periodic[d] ? reach : std::min(reach, count_[d] - 1.0));
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto f = box.fractional(positions[i]);
      for (std::size_t d = 0; d < 3; ++d) {
        const double scaled = (f[d] - low[d]) / extent[d];
        const double turns = box.periodic[d] ? std::floor(scaled) : 0;
        const auto cell = static_cast<std::int32_t>((scaled - turns) * count_[d]);
        place_[i].cell[d] = std::clamp(cell, 0, count_[d] - 1);
        place_[i].image[d] = static_cast<std::int32_t>(turns);
      }
    }
    sort();
  }

  /// visit(j, image) of every atom j whose image lies in a cell around that of i.
  template <class Visit>
  void around(std::size_t i, const Visit& visit) const {
    const Place& place = place_[i];
    Image offset;
    for (offset[0] = -reach_[0]; offset[0] <= reach_[0]; ++offset[0])
      for (offset[1] = -reach_[1]; offset[1] <= reach_[1]; ++offset[1])
        for (offset[2] = -reach_[2]; offset[2] <= reach_[2]; ++offset[2])
          visit_cell(place, offset, visit);
  }

 private:
  /// The cell of an atom, and how many boxes away from the first one it lies.
  struct Place {
    Image cell, image;
  };

  void spread(std::span<const Vec3<double>> positions, std::size_t d, double& low,
              double& extent) const {
    double high = -std::numeric_limits<double>::infinity();
    low = -high;
    for (const Vec3<double>& r : positions) {
      const double f = box_.fractional(r)[d];
      low = std::min(low, f);
      high = std::max(high, f);
    }
    extent = std::max(high - low, 1e-9);
  }

  std::size_t number(const Image& cell) const {
    return static_cast<std::size_t>(
        (static_cast<Index>(cell[0]) * count_[1] + cell[1]) * count_[2] + cell[2]);
  }

  void sort() {
    first_.assign(number({count_[0] - 1, count_[1] - 1, count_[2] - 1}) + 2, 0);
    for (const Place& place : place_) ++first_[number(place.cell) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    atom_.resize(place_.size());
    for (std::size_t i = 0; i < place_.size(); ++i)
      atom_[next[number(place_[i].cell)]++] = static_cast<std::int32_t>(i);
  }

  template <class Visit>
  void visit_cell(const Place& place, const Image& offset, const Visit& visit) const {
    Image cell, turns{};
    for (std::size_t d = 0; d < 3; ++d) {
      cell[d] = place.cell[d] + offset[d];
      if (box_.periodic[d]) {
        turns[d] = cell[d] >= 0 ? cell[d] / count_[d] : -((count_[d] - 1 - cell[d]) / count_[d]);
        cell[d] -= turns[d] * count_[d];
      } else if (cell[d] < 0 || cell[d] >= count_[d]) {
        return;
      }
    }
    const std::size_t c = number(cell);
    for (std::size_t n = first_[c]; n < first_[c + 1]; ++n) {
      const std::int32_t j = atom_[n];
      const Image& home = place_[static_cast<std::size_t>(j)].image;
      Image image;
      for (std::size_t d = 0; d < 3; ++d) image[d] = turns[d] + place.image[d] - home[d];
      visit(j, image);
    }
  }

  const Box& box_;
  Image count_{}, reach_{};
  std::vector<Place> place_;
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> atom_;
};

bool is_before(const Neighbour& a, const Neighbour& b) {
  return a.atom != b.atom ? a.atom < b.atom : a.image < b.image;
}

/// BITS: from its lower atom (of two images of one atom, the lower image), so that both rows have
/// the same three numbers but for the sign.
Vec3<double> displacement_of(const Box& box, std::span<const Vec3<double>> positions,
                             std::int32_t i, std::int32_t j, const Image& image) {
  const Image back{-image[0], -image[1], -image[2]};
  if (j < i || (j == i && image < back)) return -displacement_of(box, positions, j, i, back);
  return displacement_between(box, positions[static_cast<std::size_t>(i)],
                              positions[static_cast<std::size_t>(j)], image);
}

void refuse_lost_atoms(const Box& box, std::span<const Vec3<double>> positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3<double>& r = positions[i];
    if (!std::isfinite(r.x + r.y + r.z))
      throw UnphysicalError("the position of atom " + std::to_string(i) +
                            " is not a finite number (atoms are counted from 0)");
    if (is_far_away(box, r))
      throw InputError("atom " + std::to_string(i) + " is more than a million boxes away",
                       "atoms are counted from 0; check the position and the box");
  }
}

void find_mirrors(NeighbourRows& rows) {
  rows.mirror.resize(rows.neighbour.size());
  for (Index i = 0; i < rows.atoms(); ++i)
    for (Index n = rows.first[static_cast<std::size_t>(i)];
         n < rows.first[static_cast<std::size_t>(i) + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const auto j = static_cast<std::size_t>(rows.neighbour[entry]);
      const Image& image = rows.image[entry];
      const Neighbour wanted{static_cast<std::int32_t>(i), {-image[0], -image[1], -image[2]}, {}};
      Index low = rows.first[j], high = rows.first[j + 1];
      while (low < high) {
        const Index middle = low + (high - low) / 2;
        const auto m = static_cast<std::size_t>(middle);
        if (is_before({rows.neighbour[m], rows.image[m], {}}, wanted))
          low = middle + 1;
        else
          high = middle;
      }
      rows.mirror[entry] = low;
    }
}

}  // namespace

void require_box(const Box& box, double cutoff) {
  const double volume = box.volume();
  double cube = 1;
  for (const Vec3<double>& v : box.vectors) cube *= length(v);
  if (!(volume > 1e-12 * cube) || !std::isfinite(volume))
    throw InputError("the vectors of the box lie in a plane", "give three that span a volume");
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d] && most_images * box.height(d) < cutoff)
      throw InputError(
          "the box repeats more than " + std::to_string(most_images) + " times within the cutoff",
          "the lengths of box and cutoff are in Angstrom");
}

bool is_far_away(const Box& box, const Vec3<double>& position) {
  constexpr double most_boxes = 1e6;
  const auto f = box.fractional(position);
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d] && !(std::abs(f[d]) < most_boxes)) return true;
  return false;
}

Vec3<double> displacement_between(const Box& box, const Vec3<double>& from, const Vec3<double>& to,
                                  const std::array<std::int32_t, 3>& image) {
  Vec3<double> shift{};
  for (std::size_t d = 0; d < 3; ++d) shift += static_cast<double>(image[d]) * box.vectors[d];
  return (to - from) + shift;
}

CoincidentAtoms::CoincidentAtoms(Index i, Index j)
    : InputError(
          "atoms " + std::to_string(i) + " and " + std::to_string(j) + " are at the same place",
          "atoms are counted from 0"),
      first(i),
      second(j) {}

struct NeighbourSearch::Grid {
  Grid(const Box& its_box, std::span<const Vec3<double>> its_positions, double its_cutoff)
      : box(its_box), positions(its_positions), cutoff(its_cutoff), cells(box, positions, cutoff) {}

  Box box;
  std::span<const Vec3<double>> positions;
  double cutoff;
  Cells cells;
};

NeighbourSearch::NeighbourSearch(const Box& box, std::span<const Vec3<double>> positions,
                                 double cutoff) {
  require_box(box, cutoff);
  refuse_lost_atoms(box, positions);
  grid_ = std::make_unique<Grid>(box, positions, cutoff);
}
NeighbourSearch::~NeighbourSearch() = default;

void NeighbourSearch::find(Index atom, std::vector<Neighbour>& row) const {
  row.clear();
  const auto i = static_cast<std::size_t>(atom);
  grid_->cells.around(i, [&](std::int32_t j, const Image& image) {
    const bool itself = static_cast<std::size_t>(j) == i && image == Image{};
    if (itself) return;
    const Vec3<double> r =
        displacement_of(grid_->box, grid_->positions, static_cast<std::int32_t>(i), j, image);
    const double squared = dot(r, r);
    if (!(squared < grid_->cutoff * grid_->cutoff)) return;
    if (!(squared > 1e-20)) throw CoincidentAtoms(atom, j);
    row.push_back({j, image, r});
  });
  std::sort(row.begin(), row.end(), is_before);
}

NeighbourRows find_neighbours(const Box& box, std::span<const Vec3<double>> positions,
                              double cutoff) {
  const NeighbourSearch search(box, positions, cutoff);
  NeighbourRows rows;
  rows.first.push_back(0);
  std::vector<Neighbour> row;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    search.find(static_cast<Index>(i), row);
    for (const Neighbour& entry : row) {
      rows.neighbour.push_back(entry.atom);
      rows.image.push_back(entry.image);
      rows.displacement.push_back(entry.displacement);
    }
    rows.first.push_back(rows.entries());
  }
  find_mirrors(rows);
  return rows;
}

}  // namespace larmor::atoms
