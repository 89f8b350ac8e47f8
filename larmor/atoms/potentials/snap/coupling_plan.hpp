#pragma once
// The order in which a GPU couples products of matrix elements. Z_j1j2j[mb][ma] depends on the sums
// m_b = mb1 + mb2 and m_a = ma1 + ma2 (products.hpp). For all j, 2 mb - j = 2 m_b - j1 - j2 =: q
// and 2 ma - j = 2 m_a - j1 - j2 =: p. A coupling group is the elements of Y with one (q, p), one
// element for each layer j. The group needs only the products of the pairs of layers at its (q, p).
// So its elements may stay in registers until all products are added.
//
// Because of the symmetry C(j1 - m1, j2 - m2) = (-1)^((j1 + j2 - j) / 2) C(m1, m2), the group at -p
// has the coefficients of the group at p, up to the sign. So one set of instructions computes both
// groups, on rows that it reads in opposite directions.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {

/// The products of a pair of layers at one (q, p).
struct CouplingTerm {
  std::int32_t first, other;  ///< elements of U_j1 and U_j2, whole matrices, of the first product
  std::int32_t mirrored_first, mirrored_other;  ///< elements at -p
  std::int32_t of_columns, of_rows;             ///< coefficients: (layer, column), (layer, row)
  std::int32_t triple;                          ///< triple of the lowest layer; the others follow
  std::int16_t columns;                         ///< products in a row
  std::int16_t rows;
  std::int16_t rows_alike;  ///< rows of half of the products, if both factors are one matrix
  std::int16_t row_stride;  ///< stride of the coefficients of rows
  std::int16_t first_step, other_step;  ///< steps from a row to the next, and back
  std::int16_t low, high;               ///< layers [low, high) of the group
  std::int16_t sign;                    ///< sign of layer `low` at -p
  std::int16_t group;                   ///< number of its group
};

/// The elements with one (q, p), in the layers j = lowest_j, lowest_j + 2, ..
struct CouplingGroup {
  std::int32_t begin, end;  ///< range of its terms
  std::int16_t q, p, lowest_j;
  std::int16_t mirrored;  ///< 1: also for (q, -p)
};

/// One direction, p or -p, of a coupling group.
struct DirectedGroup {
  std::int16_t group, direction;  ///< 1: at p, -1: at -p
};

struct CouplingPlan {
  explicit CouplingPlan(const SnapTablesView& tables);

  std::vector<CouplingTerm> terms;
  std::vector<CouplingGroup> groups;           ///< those with the most products first
  std::vector<DirectedGroup> directed_groups;  ///< the directions of `groups`
  /// Terms of each pair of layers, and the first term of each pair [pairs + 1].
  std::vector<std::int32_t> terms_of_pairs, first_of_pair;
};

/// Coupling groups as long sums of products, for a potential with equal coefficients for all atoms.
/// Y[layer] = sum_n c[layer][n] U[first_n] U[other_n]. If -p is another group, Y at -p is
/// (-1)^layer times the sum of +-c[layer][n] U[mirrored_first_n] U[mirrored_other_n]. Tensor cores
/// compute four products of eight layers at a time.
struct ProductTable {
  static constexpr int layers = 8, products = 4;
  static constexpr std::uint16_t opposite = 0x8000;  ///< in mirrored_first: sign is -
  struct alignas(8) Product {
    std::uint16_t first, other, mirrored_first, mirrored_other;  ///< elements of whole matrices
  };

  /// @param of_triple coefficients of Z [triples]
  ProductTable(const SnapTablesView& tables, const CouplingPlan& plan,
               std::span<const double> of_triple);

  std::vector<double> coefficients;       ///< (step, layer, product of the step)
  std::vector<Product> products_of_step;  ///< (step, product of the step)
  /// The number of steps of a group is a multiple of `steps_at_once`. Another `steps_at_once` steps
  /// follow the last group, so that kernels can read ahead.
  static constexpr int steps_at_once = 4;
  std::vector<std::int32_t> begin;  ///< steps of the groups [groups + 1]
};

/// The most layers of a coupling group.
constexpr int layers_of_group(int twojmax) { return twojmax / 2 + 1; }

}  // namespace larmor::atoms::snap
