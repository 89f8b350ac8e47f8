#include "larmor/atoms/neighbours/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "larmor/atoms/neighbours/cell_grid.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

/// Atoms sorted into the cells of a grid.
class Cells {
 public:
  Cells(const Box& box, std::span<const Vec3<double>> positions, double cutoff)
      : grid_(grid_of(box, positions, cutoff)) {
    for (const Vec3<double>& r : positions) place_.push_back(grid_.place(r));
    sort();
  }

  /// Calls visit(j, image) for every atom j that has an image in a cell around the cell of atom i.
  template <class Visit>
  void around(std::size_t i, const Visit& visit) const {
    const Image& reach = grid_.reach;
    Image offset;
    for (offset[0] = -reach[0]; offset[0] <= reach[0]; ++offset[0])
      for (offset[1] = -reach[1]; offset[1] <= reach[1]; ++offset[1])
        for (offset[2] = -reach[2]; offset[2] <= reach[2]; ++offset[2])
          visit_cell(place_[i], offset, visit);
  }

 private:
  static CellGrid grid_of(const Box& box, std::span<const Vec3<double>> positions, double cutoff) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 3> low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (const Vec3<double>& r : positions) {
      const std::array<double, 3> f = box.fractional(r);
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], f[d]);
        high[d] = std::max(high[d], f[d]);
      }
    }
    return CellGrid::over(box, low, high, cutoff, most_cells(static_cast<Index>(positions.size())));
  }

  void sort() {
    first_.assign(static_cast<std::size_t>(grid_.cells()) + 1, 0);
    for (const CellGrid::Place& place : place_) ++first_[number(place.cell) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    atom_.resize(place_.size());
    for (std::size_t i = 0; i < place_.size(); ++i)
      atom_[next[number(place_[i].cell)]++] = static_cast<std::int32_t>(i);
  }

  std::size_t number(const Image& cell) const {
    return static_cast<std::size_t>(grid_.number(cell));
  }

  template <class Visit>
  void visit_cell(const CellGrid::Place& place, const Image& offset, const Visit& visit) const {
    Image cell = place.cell, crossings;
    if (!grid_.move(cell, offset, crossings)) return;
    const std::size_t c = number(cell);
    for (std::size_t n = first_[c]; n < first_[c + 1]; ++n) {
      const std::int32_t j = atom_[n];
      const Image& home = place_[static_cast<std::size_t>(j)].image;
      Image image;
      for (std::size_t d = 0; d < 3; ++d) image[d] = crossings[d] + place.image[d] - home[d];
      visit(j, image);
    }
  }

  CellGrid grid_;
  std::vector<CellGrid::Place> place_;
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> atom_;
};

bool is_in_order(const Neighbour& a, const Neighbour& b) {
  return is_before(a.atom, a.image, b.atom, b.image);
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
      const Image back = opposite(rows.image[entry]);
      Index low = rows.first[j], high = rows.first[j + 1];
      while (low < high) {
        const Index middle = low + (high - low) / 2;
        const auto m = static_cast<std::size_t>(middle);
        if (is_before(rows.neighbour[m], rows.image[m], static_cast<std::int32_t>(i), back))
          low = middle + 1;
        else
          high = middle;
      }
      rows.mirror[entry] = low;
    }
}

}  // namespace

void require_box(const Box& box, double cutoff) {
  if (is_flat(box))
    throw InputError("the vectors of the box lie in a plane",
                     "give three vectors that span a volume");
  if (repeats_too_often(box, cutoff))
    throw InputError(
        "the box repeats more than " + std::to_string(most_images) + " times within the cutoff",
        "give the lengths of box and cutoff in Angstrom");
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
    const Vec3<double> r = displacement_of(grid_->box, grid_->positions.data(),
                                           static_cast<std::int32_t>(i), j, image);
    const double squared = dot(r, r);
    if (!(squared < grid_->cutoff * grid_->cutoff)) return;
    if (is_same_place(squared)) throw CoincidentAtoms(atom, j);
    row.push_back({j, image, r});
  });
  std::sort(row.begin(), row.end(), is_in_order);
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
