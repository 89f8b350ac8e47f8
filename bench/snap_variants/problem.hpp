#pragma once
// Inputs of all methods: neighbours and tables on the device, and the layout of
// numbers of atoms and pairs.

#include <cstdint>
#include <vector>

#include "larmor/atoms/neighbours/neighbours.hpp"
#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/atoms/potentials/snap/snap_tables.hpp"
#include "larmor/core/device/array.hpp"

namespace larmor::bench {

/// An array whose adjacent numbers are a stride apart.
template <class T>
struct Strided {
  T* first;
  Index stride;
  LARMOR_INLINE T& operator[](Index n) const { return first[n * stride]; }
};

/// Layout of numbers of pairs: (atom, slot, item) or (slot, item, atom). A slot counts the
/// neighbours of an atom. Numbers of atoms have one slot.
template <class T>
struct VariantArray {
  T* data;
  Index of_atom, of_slot, of_item;
  LARMOR_INLINE Strided<T> at(Index atom, Index slot = 0) const {
    return {data + atom * of_atom + slot * of_slot, of_item};
  }
};

/// An element of Z_j1j2j[mb][ma] in the half of the matrix that is stored.
struct ProductEntry {
  std::int16_t j1, j2, j, mb, ma, triple;
};

/// Positions of an element of the half, and of its mirror image, in full matrices.
struct HalfPlace {
  int here, there;
  bool is_odd;  ///< the mirror image has the opposite sign
};

/// Derivative of a component B: the sum of factors times <dU_j, Z> over three triples (j1, j2, j).
struct ComponentShares {
  int triple[3], j[3];
  double factor[3];
};

struct SnapVariantView {
  Index atoms;
  int slots;  ///< maximum number of neighbours of an atom
  bool atom_fastest;
  const std::int32_t* count;                   ///< neighbours (atom)
  VariantArray<const double> displacement;     ///< (pair, 3)
  VariantArray<const std::int32_t> neighbour;  ///< (pair)
  VariantArray<const std::int32_t> mirror;     ///< slot of this pair in the other atom's row (pair)
  atoms::snap::SnapTablesView tables;
  atoms::snap::RotationRule rule;
  double cutoff, weight;
  int entries;
  const ProductEntry* entry;
  const int* first_entry;     ///< first entry of a triple
  const HalfPlace* place;     ///< (half)
  const double* coefficient;  ///< coefficient of Z in Y (triple)
  const double* beta;         ///< (component)
  const ComponentShares* shares;
};

class SnapVariantProblem {
 public:
  SnapVariantProblem(const Device& device, const atoms::snap::SnapPotential& potential,
                     const atoms::NeighbourRows& rows, bool atom_fastest);

  const SnapVariantView& view() const { return view_; }
  const Device& device() const { return device_; }
  /// Layout of `items` numbers for every atom or pair, in an array of that size.
  VariantArray<double> of_atoms(Array<double>& array, Index items) const {
    return placed(array.data(), 1, items);
  }
  VariantArray<double> of_pairs(Array<double>& array, Index items) const {
    return placed(array.data(), view_.slots, items);
  }

 private:
  template <class T>
  VariantArray<T> placed(T* data, Index slots, Index items) const {
    if (view_.atom_fastest) return {data, 1, items * view_.atoms, view_.atoms};
    return {data, slots * items, items, 1};
  }
  void lay_out(const atoms::NeighbourRows& rows);
  void list_products(const atoms::snap::SnapTables& tables);
  void share_components(const atoms::snap::SnapTables& tables, bool normalised);
  void copy_tables(const atoms::snap::SnapTables& tables);

  Device device_;
  SnapVariantView view_{};
  Array<int> first_entry_;
  Array<std::int32_t> count_, neighbour_, mirror_;
  Array<double> displacement_, product_, beta_;
  Array<ProductEntry> entry_;
  Array<HalfPlace> place_;
  Array<ComponentShares> shares_;
  // Arrays of the tables:
  Array<int> pair_j1_, pair_j2_, pair_block_, pair_triple_, component_;
  Array<atoms::snap::CouplingBlock> block_;
  Array<double> coefficient_, coefficient_of_half_, norm_;
};

}  // namespace larmor::bench
