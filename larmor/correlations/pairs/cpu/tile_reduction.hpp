#pragma once
// What is done with a tile of C(r,r') while it is in cache.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

namespace larmor::correlations::real_space {

/// BITS: rows of a panel and columns of a segment; with their matrices (K = 150) they fit in 2 MiB.
inline constexpr Index tile_rows = 256, tile_columns = panel_tile_numbers / tile_rows;

/// C of some rows and columns, which may be written over.
struct CorrelationTile {
  double* c;  ///< (row, tile_columns)
  Index first_row, rows, first_column, columns;

  double* row(Index r) const { return c + r * tile_columns; }
};

/// Adds tiles up. Threads share it, each with sums of its own.
class TileReduction {
 public:
  virtual ~TileReduction() = default;
  /// The sites that are summed over, in the order in which rows and columns come; none given: all,
  /// as they are numbered.
  virtual std::optional<std::span<const Index>> order() const { return std::nullopt; }
  /// How many sums `add` works on, from zero.
  virtual Index working_sums() const = 0;
  /// How many totals there are, those of parts to be added up.
  virtual Index total_count() const = 0;
  /// @param sums (working_sums) @param scratch the thread's, of any size
  virtual void add(const CorrelationTile& tile, double* sums,
                   std::vector<double>& scratch) const = 0;
  /// From the working sums to the totals. @param totals (total_count), written
  virtual void finish(const double* sums, double* totals) const = 0;
  /// Where C is symmetric: adds the totals of some pairs (r, r'), and what those of the pairs (r',
  /// r) would be. @param of_pairs, totals (total_count)
  virtual void add_both_ways(const double* of_pairs, double* totals) const = 0;
  /// Adds the totals of a piece of the pairs. @param of_piece, totals (total_count)
  virtual void add_totals(const double* of_piece, double* totals) const {
    for (Index n = 0; n < total_count(); ++n) totals[n] += of_piece[n];
  }
};

std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings,
                                              const FourierTerms& terms);
std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings, const ByDistance& by);
std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings,
                                              const ByDisplacement& by);
std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings,
                                              const BetweenGroups& between);
std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings, const ByValue& by);

}  // namespace larmor::correlations::real_space
