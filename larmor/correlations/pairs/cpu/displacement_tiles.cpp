// Sums by displacement on a CPU. Sites are sorted by basis atom, then by row of cells. Along a row,
// displacements from a given site are consecutive. Therefore a range of C is added to a range of
// sums.

#include <algorithm>

#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"
#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"

namespace larmor::correlations::real_space {
namespace {

/// Consecutive sites along the first lattice vector.
struct RowOfCells {
  Index first, last;  ///< positions in order()
  int atom;
  Index x, y, z;  ///< cell of the first site
};

class DisplacementReduction : public TileReduction {
 public:
  explicit DisplacementReduction(const ByDisplacement& reduction) : bins_(reduction.bins) {
    for (Index n = 0; n < std::ssize(reduction.site); ++n) order_.push_back(n);
    const auto site = [&](Index n) { return reduction.site[static_cast<std::size_t>(n)]; };
    const auto key = [&](Index n) {
      const lattice::SiteIndex s = site(n);
      return std::array<Index, 4>{s.basis, s.cell[2], s.cell[1], s.cell[0]};
    };
    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) { return key(a) < key(b); });
    for (const Index n : order_) add_site(site(n));
  }

  std::optional<std::span<const Index>> order() const override { return order_; }
  /// For each bin, the sums of C and C^2, and the number of pairs minus that of the bin before.
  Index working_sums() const override { return 3 * bins_.bins() + 1; }
  Index total_count() const override { return 3 * bins_.bins(); }

  void add(const CorrelationTile& tile, double* sums, std::vector<double>&) const override {
    const auto first = row_at(tile.first_column);
    for (Index r = 0; r < tile.rows; ++r) {
      const lattice::SiteIndex& from = site_[static_cast<std::size_t>(tile.first_row + r)];
      for (auto row = first; row != rows_.end(); ++row) {
        if (row->first >= tile.first_column + tile.columns) break;
        add_row(tile, r, from, *row, sums);
      }
    }
  }

  void finish(const double* sums, double* totals) const override {
    const auto& [X, Y, Z] = bins_.count;
    const Index bins = bins_.bins();
    double pairs = 0;
    for (Index bin = 0; bin < bins; ++bin) {
      pairs += sums[2 * bins + bin];
      // In working sums x varies fastest, and in totals z does.
      const Index x = bin % X, y = bin / X % Y, z = bin / (X * Y) % Z, atoms = bin / (X * Y * Z);
      double* total = totals + 3 * (((atoms * X + x) * Y + y) * Z + z);
      total[0] = sums[bin];
      total[1] = sums[bins + bin];
      total[2] = pairs;
    }
  }

  void add_both_ways(const double* of_pairs, double* totals) const override {
    for (Index bin = 0; bin < bins_.bins(); ++bin)
      for (Index n = 0; n < 3; ++n)
        totals[3 * bin + n] += of_pairs[3 * bin + n] + of_pairs[3 * bins_.opposite(bin) + n];
  }

 private:
  void add_site(const lattice::SiteIndex& s) {
    const Index place = std::ssize(site_);
    const bool goes_on = !rows_.empty() && rows_.back().atom == s.basis &&
                         rows_.back().y == s.cell[1] && rows_.back().z == s.cell[2] &&
                         s.cell[0] == rows_.back().x + place - rows_.back().first;
    if (!goes_on) rows_.push_back({place, place, s.basis, s.cell[0], s.cell[1], s.cell[2]});
    ++rows_.back().last;
    site_.push_back(s);
  }

  std::vector<RowOfCells>::const_iterator row_at(Index place) const {
    return std::partition_point(rows_.begin(), rows_.end(),
                                [&](const RowOfCells& row) { return row.last <= place; });
  }

  void add_row(const CorrelationTile& tile, Index r, const lattice::SiteIndex& from,
               const RowOfCells& row, double* sums) const {
    const auto& [X, Y, Z] = bins_.count;
    const Index y = bins_.place(1, row.y - from.cell[1]), z = bins_.place(2, row.z - from.cell[2]);
    if (y < 0 || y >= Y || z < 0 || z >= Z) return;
    const Index first = std::max(row.first, tile.first_column);
    const Index last = std::min(row.last, tile.first_column + tile.columns);
    // Displacement of the first column, relative to `least`. At most one image of each column has a
    // displacement in range.
    const Index start = row.x + (first - row.first) - from.cell[0] - bins_.least[0];
    const Index bin = ((from.basis * bins_.atoms + row.atom) * Z + z) * Y * X + y * X;
    const Index period = bins_.periodic[0] ? bins_.size[0] : 0;
    for (int image = period > 0 ? -1 : 0; image <= (period > 0 ? 1 : 0); ++image) {
      const Index shifted = start + image * period;
      const Index begin = std::max<Index>(0, -shifted), end = std::min(last - first, X - shifted);
      if (begin >= end) continue;
      add_range(tile.row(r) + (first - tile.first_column) + begin, end - begin,
                bin + shifted + begin, sums);
    }
  }

  void add_range(const double* c, Index count, Index bin, double* sums) const {
    const Index bins = bins_.bins();
    tile_kernels().add_with_squares(c, count, sums + bin, sums + bins + bin);
    double* more_pairs = sums + 2 * bins + bin;
    more_pairs[0] += 1;
    more_pairs[count] -= 1;
  }

  DisplacementBins bins_;
  std::vector<Index> order_;
  std::vector<lattice::SiteIndex> site_;  ///< in the order of order()
  std::vector<RowOfCells> rows_;
};

}  // namespace

std::unique_ptr<TileReduction> tile_reduction(const PairSettings&,
                                              const ByDisplacement& reduction) {
  return std::make_unique<DisplacementReduction>(reduction);
}

}  // namespace larmor::correlations::real_space
