#pragma once
// Eight atoms of one element at a time, one in each lane: from their neighbours to energies,
// components of the bispectrum and gradients. Compiled once per instruction set.

#include <cstdint>

#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {

/// How gradients are computed: by derivatives of u, or by generators of rotations.
enum class GradientMethod { derivatives, generators };

/// Numbers of a slot of neighbours: x, y, z, R, w, S, D (neighbour_rotation.hpp).
inline constexpr int slot_numbers = 7;

/// A potential, for kernels.
struct SnapView {
  SnapTablesView tables;
  RotationRule rule;
  int channels;
  bool self_in_all;  ///< an atom counts itself in every channel
  bool linear;
  bool normalised;            ///< components are divided by j + 1
  const ProductShare* share;  ///< (channels^3, triples, shares_of_product)
};

/// What differs by the element of the eight atoms.
struct SnapElementView {
  int channel;
  double constant;        ///< beta_0, of linear potentials less beta.zero
  const double* product;  ///< of linear potentials: coefficients of products [channels^3, triples]
  const double* zero;     ///< subtracted from components [components]
  const double* coefficients;  ///< beta, then A [components (components + 3) / 2]
};

struct SnapGroup {
  const SnapElementView* element;
  const int* first_slot;     ///< of the neighbours of each channel [channels + 1]
  const double* neighbours;  ///< (slot, slot_numbers, 8); those of weight 0 count for nothing
  double* work;              ///< [group_work], aligned to 64 bytes
  double* energy;            ///< [8]
  double* components;        ///< null: not wanted (components of all channels, 8)
  double* gradient;          ///< null: not wanted (slot, 3, 8)
};

struct GroupKernels {
  /// U alone: nothing is returned, to time it.
  void (*density)(const SnapView& view, const SnapGroup& group);
  void (*by_derivatives)(const SnapView& view, const SnapGroup& group);
  void (*by_generators)(const SnapView& view, const SnapGroup& group);
};

/// For this machine's instruction set.
const GroupKernels& group_kernels();

}  // namespace larmor::atoms::snap
