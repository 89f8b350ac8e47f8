#pragma once
// The reduction of many rows [A | b] to a triangle R with |A x - b| = |R (x, -1)| for all x: a QR
// decomposition by Householder reflections, block by block, so that memory holds only a few blocks
// (J. Demmel, L. Grigori, M. Hoemmen, J. Langou, SIAM J. Sci. Comput. 34, A206 (2012)).
//
// BITS: rows fill blocks in their order. Block n belongs to chain n mod `chains`. Each chain
// reduces its triangle and the next block to a new triangle, and the triangles of the chains are
// reduced in their order. So the bits depend neither on threads nor on the portions in which rows
// come.

#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::fitting {

/// Rows that are equivalent to all rows that were reduced.
struct Triangle {
  Index columns = 0;
  std::vector<double> numbers;  ///< (row, columns), at most `columns` rows
  Index rows_reduced = 0;       ///< number of rows that it stands for

  Index rows() const { return columns == 0 ? 0 : std::ssize(numbers) / columns; }
};

class Reduction {
 public:
  /// @param columns of [A | b]
  explicit Reduction(Index columns);

  /// Adds rows.
  /// @param rows (row, columns), which must not change before the next `reduce` or `finish`
  /// @param weight factors of the rows, which must not change either; empty: 1 [rows]
  void append(std::span<const double> rows, std::span<const double> weight = {});
  /// Reduces all full blocks of some reductions.
  static void reduce(std::span<Reduction> all, int threads);
  /// Reduces the remaining rows. Nothing may be added afterwards.
  Triangle finish(int threads);

 private:
  /// Rows of a caller, or rows that this has copied and multiplied by their weights.
  struct Block {
    std::vector<double> owned;
    std::span<const double> rows, weight;
  };
  struct Chain {
    std::vector<double> triangle;  ///< (row, columns)
    std::vector<Block> waiting;
  };
  void add_block(Block block);
  void reduce_chain(Chain& chain) const;

  Index columns_, rows_of_block_, blocks_ = 0, rows_ = 0;
  std::vector<double> open_;  ///< the block that is not full
  std::vector<Chain> chains_;
};

struct WeightedTriangle {
  const Triangle* triangle;
  double weight;
};
/// The triangle of several triangles, each times its weight. @param parts at least one
Triangle joined(std::span<const WeightedTriangle> parts);

}  // namespace larmor::fitting
