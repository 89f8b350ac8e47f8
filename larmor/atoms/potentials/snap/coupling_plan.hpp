#pragma once
// In which order a GPU couples products of matrix elements. Z_j1j2j[mb][ma] comes from the sums
// m_b = mb1 + mb2 and m_a = ma1 + ma2 (products.hpp), and whatever j, 2 mb - j = 2 m_b - j1 - j2 =:
// q and 2 ma - j = 2 m_a - j1 - j2 =: p. So the elements of Y with the same q and p, one of each
// layer j, get what the pairs of layers have at q and p, and nothing else does: they are a piece of
// work of their own, and may stay in registers until it is finished.
//
// By the symmetry C(j1 - m1, j2 - m2) = (-1)^((j1 + j2 - j) / 2) C(m1, m2) the piece at -p has the
// coefficients of that at p, up to the sign: both are done by the same instructions, on rows read
// in the two directions.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {

/// Of a pair of layers what it has at some q and p.
struct CouplingTerm {
  std::int32_t first, other;  ///< elements of U_j1 and U_j2, whole matrices, of the first product
  std::int32_t mirrored_first, mirrored_other;  ///< the same at -p
  std::int32_t of_columns, of_rows;             ///< coefficients: (layer, column), (layer, row)
  std::int32_t triple;                          ///< of the lowest layer; the others follow
  std::int16_t columns;                         ///< products of a row
  std::int16_t rows;
  std::int16_t rows_alike;  ///< where both factors are one matrix: rows of half of the products
  std::int16_t row_stride;  ///< of the coefficients of rows
  std::int16_t first_step, other_step;  ///< from a row to the next one, and back
  std::int16_t low, high;               ///< layers [low, high) of the piece
  std::int16_t sign;                    ///< of layer `low` at -p
  std::int16_t piece;                   ///< that it belongs to
};

/// The elements with the same q and p: of the layers j = lowest_j, lowest_j + 2, ..
struct CouplingPiece {
  std::int32_t begin, end;  ///< of its terms
  std::int16_t q, p, lowest_j;
  std::int16_t mirrored;  ///< 1: of q and -p too
};

/// One of the two pieces, at p and at -p, that a piece is.
struct DirectedPiece {
  std::int16_t piece, direction;  ///< 1: at p, -1: at -p
};

struct CouplingPlan {
  explicit CouplingPlan(const SnapTablesView& tables);

  std::vector<CouplingTerm> terms;
  std::vector<CouplingPiece> pieces;           ///< those with most products first
  std::vector<DirectedPiece> directed_pieces;  ///< the same, one at a time
  /// Terms of each pair of layers, and where those of a pair begin [pairs + 1].
  std::vector<std::int32_t> terms_of_pairs, first_of_pair;
};

/// Pieces as long sums of products, for a potential whose coefficients are the same for all atoms:
/// Y[layer] = sum_n c[layer][n] U[first_n] U[other_n], and at -p, where that is another piece,
/// (-1)^layer times the sum of +-c[layer][n] U[mirrored_first_n] U[mirrored_other_n]. Tensor cores
/// take four products at a time, of eight layers.
struct ProductTable {
  static constexpr int layers = 8, products = 4;
  static constexpr std::uint16_t opposite = 0x8000;  ///< in mirrored_first: the sign is -
  struct alignas(8) Product {
    std::uint16_t first, other, mirrored_first, mirrored_other;  ///< elements of whole matrices
  };

  /// @param of_triple coefficients of Z [triples]
  ProductTable(const SnapTablesView& tables, const CouplingPlan& plan,
               std::span<const double> of_triple);

  std::vector<double> coefficients;       ///< (step, layer, product of the step)
  std::vector<Product> products_of_step;  ///< (step, product of the step)
  /// Steps of a piece are a multiple of this, and as many follow the last piece: so kernels can
  /// read some steps ahead.
  static constexpr int steps_at_once = 4;
  std::vector<std::int32_t> begin;  ///< steps of the pieces [pieces + 1]
};

/// Layers of a piece at most.
constexpr int layers_of_piece(int twojmax) { return twojmax / 2 + 1; }

}  // namespace larmor::atoms::snap
