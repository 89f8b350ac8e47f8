#pragma once
// The data and the work arrays of the kernels of SNAP.

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/potentials/snap/coupling_plan.hpp"
#include "larmor/atoms/potentials/snap/group_kernel.hpp"
#include "larmor/core/gpu/warp.hpp"

namespace larmor::atoms::snap {

inline constexpr unsigned every_lane = 0xffffffffu;

/// Number of atoms of a tile.
inline constexpr int tile = 8;

template <class Real>
struct alignas(2 * sizeof(Real)) Element {
  Real re, im;
};

/// Distance of elements of a tile in shared memory: two more than the number of atoms. If a quarter
/// of a warp reads two atoms of four elements, it then finds them in different banks.
LARMOR_INLINE constexpr int padded(int atoms) { return atoms + 2; }

/// Indices of an element of the half.
struct HalfPlace {
  std::int16_t mb, j, ma;
};

/// A potential on a GPU. @tparam Product type of matrix elements and of their products
template <class Product>
struct GpuView {
  SnapView snap;          ///< tables and shares on the GPU
  int types, components;  ///< number of components of all channels
  const std::int32_t* element_of_type;
  const SnapElementView* element;         ///< [elements]
  const PairShape<double>* shape;         ///< (element, other)
  const HalfPlace* place;                 ///< [half]
  const Product* coefficient;             ///< for the columns of a term
  const Product* coefficient_of_rows[2];  ///< for its rows; [1]: both factors are one matrix
  const Product* product;                 ///< for linear potentials (element, channels^3, triples)
  const CouplingTerm* term;
  const CouplingGroup* coupling_group;
  int coupling_groups;
  const DirectedGroup* directed_group;
  int directed_groups;
  const double* of_step;                         ///< ProductTable (step, layer, product), or null
  const ProductTable::Product* product_of_step;  ///< (step, product)
  const std::int32_t* first_step;                ///< first step of each coupling group [groups + 1]
  const std::int32_t* terms_of_pairs;
  const std::int32_t* first_of_pair;

  /// Number of coefficients of products of an atom.
  LARMOR_INLINE Index products() const {
    return Index(snap.channels) * snap.channels * snap.channels * snap.tables.triples;
  }
};

/// Work arrays of kernels, for one block of atoms.
template <class Product>
struct Work {
  Index first, atoms;   ///< first atom and number of atoms
  Element<Product>* U;  ///< (tile, channel, full, atom of the tile)
  Element<Product>* Y;  ///< (atom, channel, half)
  Product* components;  ///< (tile, component, atom of the tile), for quadratic potentials
  Product* slope;       ///< (tile, component, atom of the tile), for quadratic potentials
  Product* product;     ///< (tile, channels^3 triples, atom of the tile)
  double* energy;       ///< for quadratic potentials [atoms]
};

}  // namespace larmor::atoms::snap
