#pragma once
// What kernels of SNAP read and what they work in.

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/potentials/snap/coupling_plan.hpp"
#include "larmor/atoms/potentials/snap/group_kernel.hpp"
#include "larmor/core/gpu/warp.hpp"

namespace larmor::atoms::snap {

inline constexpr unsigned every_lane = 0xffffffffu;

/// Atoms of a tile.
inline constexpr int tile = 8;

template <class Real>
struct alignas(2 * sizeof(Real)) Element {
  Real re, im;
};

/// From an element of a tile to the next one in shared memory: two more than there are atoms, so
/// that a quarter of a warp that reads two atoms of four elements finds them in different banks.
LARMOR_INLINE constexpr int padded(int atoms) { return atoms + 2; }

/// Where an element of the half is.
struct HalfPlace {
  std::int16_t mb, j, ma;
};

/// A potential on a GPU. @tparam Product of matrix elements and their products
template <class Product>
struct GpuView {
  SnapView snap;          ///< tables and shares on the GPU
  int types, components;  ///< components: of all channels
  const std::int32_t* element_of_type;
  const SnapElementView* element;         ///< [elements]
  const PairShape<double>* shape;         ///< (element, other)
  const HalfPlace* place;                 ///< [half]
  const Product* coefficient;             ///< of columns
  const Product* coefficient_of_rows[2];  ///< [1]: where both factors are one matrix
  const Product* product;                 ///< of linear potentials (element, channels^3, triples)
  const CouplingTerm* term;
  const CouplingPiece* piece;
  int pieces;
  const DirectedPiece* directed_piece;
  int directed_pieces;
  const double* of_step;  ///< of a ProductTable (step, layer, product); null: none
  const ProductTable::Product* product_of_step;  ///< (step, product)
  const std::int32_t* first_step;                ///< of the pieces [pieces + 1]
  const std::int32_t* terms_of_pairs;
  const std::int32_t* first_of_pair;

  /// Coefficients of products of an atom.
  LARMOR_INLINE Index products() const {
    return Index(snap.channels) * snap.channels * snap.channels * snap.tables.triples;
  }
};

/// What kernels work in, of a portion of the atoms.
template <class Product>
struct Work {
  Index first, atoms;   ///< of the portion
  Element<Product>* U;  ///< (tile, channel, full, atom of the tile)
  Element<Product>* Y;  ///< (atom, channel, half)
  Product* components;  ///< (tile, component, atom of the tile), of quadratic potentials
  Product* slope;       ///< the same
  Product* product;     ///< (tile, channels^3 triples, atom of the tile)
  double* energy;       ///< of quadratic potentials [atoms]
};

}  // namespace larmor::atoms::snap
