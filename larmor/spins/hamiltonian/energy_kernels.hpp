#pragma once
// Energies, fields and sums over spins, compiled for each instruction set
// (energy_kernels.lanes.cpp) and for CUDA. All arguments are plain data, equal for every
// instruction set.

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

struct EnergyKernels {
  /// Energy of all forms in the model. [padded replicas]
  Pending (*energy)(const Device&, const ModelView&, const Reals& spins);
  /// Sums over sites of weight * e. (3, padded replicas)
  /// @param weight width 1
  Pending (*weighted_sum)(const Device&, const SpinLayout&, const RowTable& weight,
                          const Reals& spins);
  /// Sums over sites of e.r. [padded replicas]
  /// @param reference r, in the layout of the spins
  Pending (*overlap)(const Device&, const SpinLayout&, const Reals& spins, const Reals& reference);
  /// Sums of |e x h|^2 and of the Laplacian of the local energy. (2, padded replicas)
  Pending (*temperature_sums)(const Device&, const ModelView&, const Reals& spins);
  /// Sums of e_i x sum_j A_ij e_j. (3, padded replicas)
  Pending (*torque_sum)(const Device&, const ModelView&, const Reals& spins);
  /// Stores the contribution of every site to the energy in `share`, as the x component of a vector
  /// in the layout of the spins.
  void (*site_energy)(const Device&, const ModelView&, const Reals& spins, const Reals& share);
  /// Stores the fields -dH/de of all spins, in the layout of the spins.
  void (*effective_field)(const Device&, const ModelView&, const Reals& spins, const Reals& field);
  /// The sums of `energy`, kept on the device.
  /// @param energies on the device [padded replicas]
  void (*store_energy)(const Device&, const ModelView&, const Reals& spins, double* energies);
};

/// The kernels for a device: for the instruction set of this machine, or CUDA.
LARMOR_DEVICE_KERNELS(EnergyKernels, energy_kernels)

}  // namespace larmor::spins
