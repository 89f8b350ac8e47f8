#pragma once
// Energies, bispectrum components and gradients of eight atoms of one element, with one atom in
// each lane. The code is compiled once per instruction set.

#include <cstdint>

#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/atoms/potentials/snap/snap_tables.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"

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

/// The data of the element of the eight atoms.
struct SnapElementView {
  int channel;
  double constant;        ///< beta_0; for linear potentials minus beta.zero
  const double* product;  ///< coefficients of products of a linear potential [channels^3, triples]
  const double* zero;     ///< subtracted from components [components]
  const double* coefficients;  ///< beta, then A [components (components + 3) / 2]
};

struct SnapGroup {
  const SnapElementView* element;
  const int* first_slot;     ///< first slot of each channel [channels + 1]
  const double* neighbours;  ///< (slot, slot_numbers, 8); weight 0 marks an empty slot
  double* work;              ///< [group_work], aligned to 64 bytes
  double* energy;            ///< [8]
  double* components;        ///< null, or components of all channels (component, 8)
  double* gradient;          ///< null, or (slot, 3, 8)
};

struct GroupKernels {
  /// Computes only U and returns nothing, for measurements of time.
  void (*density)(const SnapView& view, const SnapGroup& group);
  void (*by_derivatives)(const SnapView& view, const SnapGroup& group);
  void (*by_generators)(const SnapView& view, const SnapGroup& group);
};

/// The kernels for this machine's instruction set.
LARMOR_CPU_KERNELS(GroupKernels, group_kernels)

}  // namespace larmor::atoms::snap
