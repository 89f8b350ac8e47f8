#pragma once
// Interface for summing a tile of C(r,r') while it is in cache.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

namespace larmor::correlations::real_space {

/// BITS: rows and columns of a tile. A tile and its parts of the matrices (for K = 150) fit in 2
/// MiB.
inline constexpr Index tile_rows = 256, tile_columns = tile_numbers / tile_rows;

/// C of some rows and columns; a reduction may overwrite it.
struct CorrelationTile {
  double* c;  ///< (row, tile_columns)
  Index first_row, rows, first_column, columns;

  double* row(Index r) const { return c + r * tile_columns; }
};

/// Sums tiles. Threads share the object, and each has its own sums.
class TileReduction {
 public:
  virtual ~TileReduction() = default;
  /// The sites that are summed, in the order of rows and columns. If there is no list, all sites
  /// are summed, in order of number.
  virtual std::optional<std::span<const Index>> order() const { return std::nullopt; }
  /// Number of sums that `add` updates, initially zero.
  virtual Index working_sums() const = 0;
  /// Number of totals of a unit of work.
  virtual Index total_count() const = 0;
  /// @param sums (working_sums) @param scratch buffer of this thread, any size
  virtual void add(const CorrelationTile& tile, double* sums,
                   std::vector<double>& scratch) const = 0;
  /// Converts working sums to totals. @param totals (total_count), overwritten
  virtual void finish(const double* sums, double* totals) const = 0;
  /// Adds the totals of pairs (r, r') and those of the reversed pairs (r', r). Called if C is
  /// symmetric.
  /// @param of_pairs, totals (total_count)
  virtual void add_both_ways(const double* of_pairs, double* totals) const = 0;
  /// Adds the totals of a block of units to `totals`. @param partial, totals (total_count)
  virtual void add_totals(const double* partial, double* totals) const {
    for (Index n = 0; n < total_count(); ++n) totals[n] += partial[n];
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
