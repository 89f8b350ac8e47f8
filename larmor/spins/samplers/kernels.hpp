#pragma once
// The hot loops of the spin engine, compiled once per instruction set (kernels.lanes.cpp) and for
// CUDA, and picked at run time. Everything passed is plain data, the same for every set.

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {

enum class Update { metropolis, heat_bath, over_relaxation };

/// Part of a sweep: sites of one colour, blocks [first_block, last_block) of replicas.
struct UpdateRange {
  SiteRanges sites;
  Index first_block, last_block;
};

struct SpinKernels {
  /// Updates those sites once. @param accepted on the device [padded replicas]: moves accepted are
  /// added
  void (*update)(Update, const Device&, const SweepView&, const UpdateRange&,
                 std::uint64_t* accepted);
  /// Energy of the forms present in the model. [padded replicas]
  Pending (*energy)(const Device&, const ModelView&, const Reals& spins);
  /// Sums over sites of weight * e. (3, padded replicas) @param weight width 1
  Pending (*weighted_sum)(const Device&, const SpinLayout&, const RowTable& weight,
                          const Reals& spins);
  /// Sums over sites of e.r. [padded replicas] @param reference r, in the layout of the spins
  Pending (*overlap)(const Device&, const SpinLayout&, const Reals& spins, const Reals& reference);
  /// Sums of |e x h|^2 and of the Laplacian of the local energy. (2, padded replicas)
  Pending (*temperature_sums)(const Device&, const ModelView&, const Reals& spins);
  /// Sums of e_i x sum_j A_ij e_j. (3, padded replicas)
  Pending (*torque_sum)(const Device&, const ModelView&, const Reals& spins);
  /// Every site's share of the energy, as the x of a vector in the layout of the spins.
  void (*site_energy)(const Device&, const ModelView&, const Reals& spins, const Reals& share);
  /// Fields -dH/de of every spin, in the layout of the spins.
  void (*effective_field)(const Device&, const ModelView&, const Reals& spins, const Reals& field);
  /// The sums of `energy`, left on the device. @param energies on the device [padded replicas]
  void (*store_energy)(const Device&, const ModelView&, const Reals& spins, double* energies);
};

/// The kernels for a device: for this machine's instruction set, or CUDA.
const SpinKernels& spin_kernels(const Device& device);

}  // namespace larmor::spins
