#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/cpu/tile_product.hpp"
#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"

namespace larmor::correlations::real_space {
namespace {

/// BITS: number of columns of a unit of work. A unit has several tiles.
constexpr Index columns_of_unit = 8 * tile_columns;

/// BITS: maximum number of blocks of units; it does not depend on threads. Each block has its own
/// sums, which are added in order. If the sums of so many blocks would need more than
/// most_bytes_of_unit_blocks, there are fewer blocks.
constexpr Index most_unit_blocks = 4096;
constexpr double most_bytes_of_unit_blocks = 64.0 * 1048576;
constexpr Index least_unit_blocks = 16;

Index whole(Index count, Index size) { return (count + size - 1) / size; }

/// A unit of work: a block of rows and a range of columns.
struct Unit {
  Index first_row, first_column;
};

/// The units, by block of rows. If C is symmetric, the list has only units with elements on or
/// above the diagonal. In this case, blocks of rows from the top and from the bottom alternate. Two
/// successive blocks together have a constant number of columns, so equal shares mean equal work.
std::vector<Unit> units_of(Index sites, bool symmetric) {
  static_assert(columns_of_unit % tile_rows == 0);
  const Index row_blocks = whole(sites, tile_rows);
  std::vector<Unit> units;
  for (Index n = 0; n < row_blocks; ++n) {
    const Index row_block = !symmetric ? n : n % 2 == 0 ? n / 2 : row_blocks - 1 - n / 2;
    const Index row = row_block * tile_rows;
    const Index first = symmetric ? row / columns_of_unit * columns_of_unit : 0;
    for (Index column = first; column < sites; column += columns_of_unit)
      units.push_back({row, column});
  }
  return units;
}

Index unit_blocks_of(Index units, Index totals) {
  const double bytes = 8.0 * static_cast<double>(std::max<Index>(totals, 1));
  const Index fitting = std::clamp(static_cast<Index>(most_bytes_of_unit_blocks / bytes),
                                   least_unit_blocks, most_unit_blocks);
  return std::min(units, fitting);
}

class TileSums : public PairSums {
 public:
  TileSums(const PairSettings& settings, std::unique_ptr<TileReduction> reduction, int threads)
      : threads_(threads),
        share_(settings.share()),
        ranks_(settings.ranks),
        sites_(reduction->order() ? std::ssize(*reduction->order()) : settings.sites),
        numbers_(settings.numbers),
        reduction_(std::move(reduction)) {
    divide(false);
  }

  void set_columns(const double* matrix) override {
    columns_ = in_order(matrix);
    if (symmetric_) divide(false);
  }
  void set_rows(const double* matrix) override {
    rows_ = in_order(matrix);
    if (symmetric_) divide(false);
  }
  void set_both(const double* matrix) override {
    columns_ = in_order(matrix);
    rows_ = {};
    if (!symmetric_) divide(true);
  }

  void add(const RowShare& share) override {
    const auto size = static_cast<std::size_t>(sites_ * numbers_);
    if (columns_.size() != size || (!symmetric_ && rows_.size() != size))
      throw InternalError("sums over pairs of sites are requested, but a matrix has not been set");
    const Index units = std::ssize(units_), totals = reduction_->total_count();
    if (share.index == 0) sums_.assign(static_cast<std::size_t>(unit_blocks_ * totals), 0.0);
    const RowShare rows = share_.subshare(share);
    const Index first = rows.first(unit_blocks_);
    parallel_for(threads_, rows.last(unit_blocks_) - first, [&](Index own) {
      const Index unit_block = first + own;
      sum_units(unit_block * units / unit_blocks_, (unit_block + 1) * units / unit_blocks_,
                sums_.data() + unit_block * totals);
    });
  }

  Pending totals() override {
    const Index count = reduction_->total_count();
    if (std::ssize(sums_) != unit_blocks_ * count)
      throw InternalError("totals of pairs of sites are requested before their sums are complete");
    if (ranks_ != nullptr) ranks_->add_up(sums_.data(), std::ssize(sums_));
    std::vector<double> totals(static_cast<std::size_t>(count));
    for (Index unit_block = 0; unit_block < unit_blocks_; ++unit_block)
      reduction_->add_totals(sums_.data() + unit_block * count, totals.data());
    sums_ = {};
    return Pending(std::move(totals));
  }

 private:
  void divide(bool symmetric) {
    symmetric_ = symmetric;
    units_ = units_of(sites_, symmetric);
    unit_blocks_ = unit_blocks_of(std::ssize(units_), reduction_->total_count());
    sums_ = {};
  }

  std::vector<double> in_order(const double* matrix) const {
    const auto order = reduction_->order();
    if (!order) return {matrix, matrix + sites_ * numbers_};
    std::vector<double> ordered;
    ordered.reserve(static_cast<std::size_t>(sites_ * numbers_));
    for (const Index site : *order)
      ordered.insert(ordered.end(), matrix + site * numbers_, matrix + (site + 1) * numbers_);
    return ordered;
  }

  /// @param totals (total_count), overwritten
  void sum_units(Index first, Index last, double* totals) const {
    ThreadBuffers buffers;
    buffers.c.resize(static_cast<std::size_t>(tile_rows * tile_columns));
    const auto count = static_cast<std::size_t>(reduction_->working_sums());
    std::vector<double> sums(count), above(symmetric_ ? count : 0);
    for (Index n = first; n < last; ++n) {
      const Unit& unit = units_[static_cast<std::size_t>(n)];
      const Index end = std::min(sites_, unit.first_column + columns_of_unit);
      Index column = unit.first_column;
      if (symmetric_ && column <= unit.first_row) {
        // A tile on the diagonal contains each pair in both orders.
        const Index after = std::min(sites_, unit.first_row + tile_rows);
        add_tiles(unit.first_row, unit.first_row, after, buffers, sums);
        column = after;
      }
      add_tiles(unit.first_row, column, end, buffers, symmetric_ ? above : sums);
    }
    reduction_->finish(sums.data(), totals);
    if (!symmetric_) return;
    sums.resize(static_cast<std::size_t>(reduction_->total_count()));
    reduction_->finish(above.data(), sums.data());
    reduction_->add_both_ways(sums.data(), totals);
  }

  struct ThreadBuffers {
    std::vector<double> c, scratch;
  };

  /// Adds the tiles of a block of rows and a range of columns.
  void add_tiles(Index row, Index column, Index end, ThreadBuffers& buffers,
                 std::vector<double>& sums) const {
    const double* rows = symmetric_ ? columns_.data() : rows_.data();
    for (Index first = column; first < end; first += tile_columns) {
      const CorrelationTile tile{buffers.c.data(), row, std::min(tile_rows, sites_ - row), first,
                                 std::min(tile_columns, end - first)};
      multiply_transposed(tile.rows, tile.columns, numbers_, {rows + row * numbers_, numbers_},
                          {columns_.data() + first * numbers_, numbers_}, {tile.c, tile_columns});
      reduction_->add(tile, sums.data(), buffers.scratch);
    }
  }

  int threads_;
  RowShare share_;
  PairRanks* ranks_;
  Index sites_, numbers_;  ///< number of sites that are summed over, and K
  std::unique_ptr<TileReduction> reduction_;
  bool symmetric_ = false;
  std::vector<Unit> units_;
  Index unit_blocks_ = 0;
  std::vector<double> rows_, columns_;  ///< (site, k); rows_ is empty if C is symmetric
  std::vector<double> sums_;            ///< (block of units, total); 0 for other ranks
};

}  // namespace

Index tile_sum_blocks(Index sites, Index totals, bool symmetric) {
  return unit_blocks_of(std::ssize(units_of(sites, symmetric)), totals);
}

std::unique_ptr<PairSums> make_tile_sums(const PairSettings& settings,
                                         const PairReduction& reduction, int threads) {
  check(settings);
  check(reduction, settings.sites);
  return std::visit(
      [&](const auto& kind) -> std::unique_ptr<PairSums> {
        return std::make_unique<TileSums>(settings, tile_reduction(settings, kind), threads);
      },
      reduction);
}

}  // namespace larmor::correlations::real_space
