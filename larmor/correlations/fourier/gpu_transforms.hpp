#pragma once
// Amplitudes of spins on a GPU. Only A(q) is copied to the host. Results agree with those of
// transforms.hpp to rounding.

#include <memory>
#include <optional>

#include "larmor/core/device/pending.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

class GpuTransform {
 public:
  virtual ~GpuTransform() = default;
  /// Pending amplitudes, (q, replica, 3, re im). BITS: every run gives equal bits.
  virtual Pending transform(const spins::SpinState& state) = 0;
};

/// The factorised sum. The numbers of replicas and wave vectors determine the kernel.
/// @param state with the layout and site order of later states
/// @throws MachineError if the GPU's memory is too small
std::unique_ptr<GpuTransform> make_gpu_sum(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state);

/// The factorised sum of several wave vectors and replicas.
/// @param shared_bytes limit of a block's shared memory; the default is all that the GPU has
std::unique_ptr<GpuTransform> make_gpu_phase_product(const lattice::Geometry& geometry,
                                                     const QList& q, const spins::SpinState& state,
                                                     std::optional<Index> shared_bytes = {});

/// The factorised sum of one wave vector and several replicas.
std::unique_ptr<GpuTransform> make_gpu_sum_of_one(const lattice::Geometry& geometry,
                                                  const Vec3<double>& q,
                                                  const spins::SpinState& state);

/// The FFT of the sublattice of each basis atom.
/// @throws MachineError if the GPU's memory is too small or cuFFT is missing
/// @throws InputError unless every q is a wave vector of the lattice
std::unique_ptr<GpuTransform> make_gpu_fft(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state);

/// Bytes of GPU memory for each transform.
double gpu_sum_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);
double gpu_sum_of_one_bytes(const lattice::Geometry& geometry, Index replicas);
double gpu_fft_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);

}  // namespace larmor::correlations
