#include "larmor/spins/domains/domain_partition.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/simd/slots.hpp"
#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {
namespace {

void sort_and_unite(std::vector<std::int32_t>& positions) {
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
}

/// Collects positions, most of which are found several times. Duplicates are removed early, so that
/// they need little memory.
class FoundPositions {
 public:
  void add(Index position) {
    positions_.push_back(static_cast<std::int32_t>(position));
    if (positions_.size() < worth_uniting_) return;
    sort_and_unite(positions_);
    worth_uniting_ = std::max(worth_uniting_, 2 * positions_.size());
  }
  /// Ascending.
  std::vector<std::int32_t> take() {
    sort_and_unite(positions_);
    return std::move(positions_);
  }

 private:
  std::vector<std::int32_t> positions_;
  std::size_t worth_uniting_ = std::size_t{1} << 22;
};

Index rounded_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

/// Returns axis 2 or else axis 1, if each rank gets at least `enough` planes along it. Planes of
/// later axes have longer runs in memory, so that few blocks of partial sums cross the cuts. If
/// both axes are too short, returns the longest axis.
std::size_t axis_to_cut(const std::array<Index, 3>& cells, int ranks) {
  constexpr Index enough = 4;
  for (const std::size_t d : {2u, 1u})
    if (cells[d] >= enough * ranks) return d;
  std::size_t longest = 2;
  for (const std::size_t d : {1u, 0u})
    if (cells[d] > cells[longest]) longest = d;
  return longest;
}

}  // namespace

std::vector<std::int32_t> united(const std::vector<std::int32_t>& a,
                                 const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> either;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
  return either;
}

NearestPositions::NearestPositions(const lattice::NearestNeighbours& sites, const Model& model)
    : sites_(sites), canonical_(model.canonical()), storage_(model.storage()) {}

std::vector<std::int32_t> NearestPositions::of(std::int32_t position) const {
  std::vector<std::int32_t> positions;
  for (const lattice::NearSite& near :
       sites_.neighbours_of(canonical_[static_cast<std::size_t>(position)]))
    positions.push_back(storage_[static_cast<std::size_t>(near.site)]);
  return positions;
}

void DomainPartition::add(Index first, int rank) {
  if (segments_.empty() || segments_.back().rank != rank) segments_.push_back({first, rank});
}

int DomainPartition::rank_of(Index position) const {
  const auto next =
      std::upper_bound(segments_.begin(), segments_.end(), position,
                       [](Index p, const Segment& segment) { return p < segment.first; });
  return (next - 1)->rank;
}

std::vector<SiteRange> DomainPartition::owned(int rank) const {
  std::vector<SiteRange> ranges;
  for (std::size_t n = 0; n < segments_.size(); ++n)
    if (segments_[n].rank == rank)
      ranges.push_back(
          {segments_[n].first, n + 1 < segments_.size() ? segments_[n + 1].first : spins_});
  return ranges;
}

std::vector<std::int32_t> DomainPartition::reads_nearest(int rank,
                                                         const NearestPositions& nearest) const {
  FoundPositions found;
  for (const std::int32_t position : near_other_ranks(rank, nearest))
    for (const std::int32_t near : nearest.of(position))
      if (rank_of(near) != rank) found.add(near);
  return found.take();
}

std::vector<std::int32_t> DomainPartition::near_other_ranks(int rank,
                                                            const NearestPositions&) const {
  std::vector<std::int32_t> positions;
  for (const SiteRange& range : owned(rank))
    for (Index p = range.first; p < range.last; ++p)
      positions.push_back(static_cast<std::int32_t>(p));
  return positions;
}

BlockPartition::BlockPartition(const Model& model, int ranks)
    : DomainPartition(model.spins()),
      bonds_per_site_(model.bonds_per_site()),
      neighbours_(model.neighbours()) {
  const Index blocks = BlockPartition::blocks(spins_);
  if (blocks < ranks) throw InternalError("a rank would get no block of the lattice");
  const std::vector<Index> runs = model.runs();
  const auto place = [&](Index block) {
    const Index middle = std::min(block * partial_sum_grain + partial_sum_grain / 2, spins_ - 1);
    const auto next = std::upper_bound(runs.begin(), runs.end(), middle);
    const Index first = *(next - 1), last = next == runs.end() ? spins_ : *next;
    return static_cast<double>(middle - first) / static_cast<double>(last - first);
  };
  std::vector<Index> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return place(a) < place(b); });
  std::vector<int> rank_of_block(order.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    rank_of_block[static_cast<std::size_t>(order[n])] =
        static_cast<int>(static_cast<Index>(n) * ranks / blocks);
  for (Index block = 0; block < blocks; ++block)
    add(block * partial_sum_grain, rank_of_block[static_cast<std::size_t>(block)]);
}

/// The list `as_sites` is empty, because blocks of partial sums contain only positions of one rank.
PositionsRead BlockPartition::reads(int rank) const {
  FoundPositions neighbours;
  for (const SiteRange& range : owned(rank))
    for (Index p = range.first; p < range.last; ++p)
      for (Index bond = 0; bond < bonds_per_site_; ++bond) {
        const std::int32_t q = neighbours_[static_cast<std::size_t>(
            (p / lane_count * bonds_per_site_ + bond) * lane_count + p % lane_count)];
        if (q < spins_ && rank_of(q) != rank) neighbours.add(q);
      }
  return {neighbours.take(), {}};
}

Index PlanePartition::most_ranks(const Stencil& neighbourhood, Index spins) {
  const std::array<Index, 3>& cells = neighbourhood.cells;
  const std::array<Index, 3> plain{1, cells[0], cells[0] * cells[1]};
  if (neighbourhood.fold != std::array<Index, 3>{1, 1, 1} || neighbourhood.outer != plain) return 0;
  for (std::size_t s = 0; s < neighbourhood.sublattices.size(); ++s)
    if (neighbourhood.sublattices[s].first != static_cast<Index>(s) * neighbourhood.all_cells())
      return 0;
  if (spins != neighbourhood.sites()) return 0;
  return *std::max_element(cells.begin(), cells.end());
}

std::unique_ptr<PlanePartition> PlanePartition::make(const Stencil& neighbourhood, Index spins,
                                                     int ranks, const std::vector<Layer>& layers) {
  if (most_ranks(neighbourhood, spins) < ranks) return nullptr;
  const std::array<Index, 3>& cells = neighbourhood.cells;
  const std::size_t axis = axis_to_cut(cells, ranks);
  const Index of_cell = neighbourhood.supercell[axis];
  const Index crystal_cells = cells[axis] * of_cell;
  std::vector<Index> along{of_cell};
  for (const Layer& layer : layers) along.push_back(layer[axis]);
  Index unit = 1;
  for (const Index layer : along) unit = std::lcm(unit, layer);
  // Cuts lie between layers only if the largest slab exceeds the mean by at most one eighth.
  const Index units = (crystal_cells + unit - 1) / unit;
  if (8 * ((units + ranks - 1) / ranks * unit * ranks) > 9 * crystal_cells) unit = of_cell;
  std::vector<Index> cuts;
  const Index unit_count = (crystal_cells + unit - 1) / unit;
  for (Index r = 0; r < ranks; ++r) cuts.push_back(unit_count * r / ranks * unit / of_cell);
  cuts.push_back(cells[axis]);
  return std::unique_ptr<PlanePartition>(
      new PlanePartition(neighbourhood, spins, axis, std::move(cuts), std::move(along)));
}

PlanePartition::PlanePartition(const Stencil& neighbourhood, Index spins, std::size_t axis,
                               std::vector<Index> cuts, std::vector<Index> layers)
    : DomainPartition(spins),
      stencil_(neighbourhood),
      axis_(axis),
      cuts_(std::move(cuts)),
      layers_(std::move(layers)) {
  for (const Sublattice& s : stencil_.sublattices)
    for (const SublatticeBond& bond : s.bonds)
      depth_ = std::max<Index>(depth_, std::abs(bond.shift[axis]));
  for (std::size_t r = 0; r + 1 < cuts_.size(); ++r)
    rank_of_plane_.resize(static_cast<std::size_t>(cuts_[r + 1]), static_cast<int>(r));
  Index rows = 1;  // separate parts of a range of planes in memory
  for (std::size_t d = axis + 1; d < 3; ++d) rows *= stencil_.cells[d];
  const Index stride = stencil_.outer[axis];
  for (const Sublattice& s : stencil_.sublattices)
    for (Index row = 0; row < rows; ++row)
      for (std::size_t r = 0; r + 1 < cuts_.size(); ++r)
        add(s.first + (row * stencil_.cells[axis] + cuts_[r]) * stride, static_cast<int>(r));
}

SiteRange PlanePartition::updated(int rank) const {
  const Index of_cell = stencil_.supercell[axis_];
  const auto [first, last] = planes(rank);
  SiteRange all{first, last};
  for (const Index layer : layers_) {
    all.first = std::min(all.first, first * of_cell / layer * layer / of_cell);
    all.last = std::max(all.last, (rounded_up(last * of_cell, layer) + of_cell - 1) / of_cell);
  }
  all.last = std::min(all.last, stencil_.cells[axis_]);
  return all;
}

template <class Visit>
void PlanePartition::for_each_of_plane(Index plane, const Visit& visit) const {
  std::array<Index, 3> first{0, 0, 0}, last = stencil_.cells, c;
  first[axis_] = plane;
  last[axis_] = plane + 1;
  for (const Sublattice& s : stencil_.sublattices)
    for (c[2] = first[2]; c[2] < last[2]; ++c[2])
      for (c[1] = first[1]; c[1] < last[1]; ++c[1])
        for (c[0] = first[0]; c[0] < last[0]; ++c[0]) visit(s, c);
}

std::array<Index, 3> PlanePartition::cell_of(Index position, std::size_t& sublattice) const {
  const Index of_each = stencil_.all_cells();
  sublattice = static_cast<std::size_t>(position / of_each);
  const Index n = position % of_each;
  return {n % stencil_.cells[0], n / stencil_.cells[0] % stencil_.cells[1],
          n / (stencil_.cells[0] * stencil_.cells[1])};
}

PositionsRead PlanePartition::reads(int rank) const {
  FoundPositions neighbours, sites;
  const auto read = [&](FoundPositions& found, const Sublattice& s,
                        const std::array<Index, 3>& cell) {
    if (rank_of_plane_[static_cast<std::size_t>(cell[axis_])] != rank)
      found.add(stencil_.storage(s, cell));
  };
  const auto update = [&](const Sublattice& s, const std::array<Index, 3>& cell) {
    read(sites, s, cell);
    for (const SublatticeBond& bond : s.bonds) {
      std::array<Index, 3> to;
      for (std::size_t d = 0; d < 3; ++d)
        to[d] = (cell[d] + bond.shift[d] + stencil_.cells[d]) % stencil_.cells[d];
      read(neighbours, stencil_.sublattices[static_cast<std::size_t>(bond.to)], to);
    }
  };
  const SiteRange own = planes(rank), all = updated(rank);
  // Planes farther from both ends have only neighbours of this rank.
  for (Index plane = all.first; plane < all.last; ++plane)
    if (plane < own.first + depth_ || plane >= own.last - depth_) for_each_of_plane(plane, update);
  for (const SiteRange& range : owned(rank))
    for (Index p = range.last; p < std::min(rounded_up(range.last, partial_sum_grain), spins_);
         ++p) {
      std::size_t sublattice = 0;
      const std::array<Index, 3> cell = cell_of(p, sublattice);
      update(stencil_.sublattices[sublattice], cell);
    }
  return {neighbours.take(), sites.take()};
}

std::vector<std::int32_t> PlanePartition::near_other_ranks(int rank,
                                                           const NearestPositions& nearest) const {
  const Index of_cell = stencil_.supercell[axis_];
  const Index depth = (nearest.reach(axis_) + of_cell - 1) / of_cell;
  const auto [first, last] = planes(rank);
  std::vector<std::int32_t> positions;
  for (Index plane = first; plane < last; ++plane)
    if (plane < first + depth || plane >= last - depth)
      for_each_of_plane(plane, [&](const Sublattice& s, const std::array<Index, 3>& cell) {
        positions.push_back(static_cast<std::int32_t>(stencil_.storage(s, cell)));
      });
  return positions;
}

std::optional<CellSlab> PlanePartition::cells(int rank,
                                              std::span<const std::int32_t> read_by_others) const {
  const auto [first, last] = planes(rank);
  Index low = 0, high = 0;
  for (const std::int32_t position : read_by_others) {
    std::size_t sublattice = 0;
    const Index plane = cell_of(position, sublattice)[axis_];
    if (plane - first < last - plane) {
      low = std::max(low, plane + 1 - first);
    } else {
      high = std::max(high, last - plane);
    }
  }
  const Index of_cell = stencil_.supercell[axis_];
  return CellSlab{static_cast<int>(axis_), first * of_cell, last * of_cell, low * of_cell,
                  high * of_cell};
}

}  // namespace larmor::spins
