#pragma once
// Amplitudes of spins that are on a GPU, made there: only A(q) comes to the host. They agree with
// those of transforms.hpp to rounding.

#include <memory>
#include <optional>

#include "larmor/core/device/pending.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

class GpuTransform {
 public:
  virtual ~GpuTransform() = default;
  /// Amplitudes on their way to the host, (q, replica, 3, re im). BITS: the same every time.
  virtual Pending transform(const spins::SpinState& state) = 0;
};

/// The factorised sum. @param state of the layout and site order of all that will be transformed
/// @throws MachineError when the GPU's memory is short
std::unique_ptr<GpuTransform> make_gpu_sum(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state);

/// The same of several wave vectors and replicas. @param shared_bytes of shared memory that a block
/// of threads may have, unless all that the GPU gives
std::unique_ptr<GpuTransform> make_gpu_phase_product(const lattice::Geometry& geometry,
                                                     const QList& q, const spins::SpinState& state,
                                                     std::optional<Index> shared_bytes = {});

/// The same of one wave vector and several replicas.
std::unique_ptr<GpuTransform> make_gpu_sum_of_one(const lattice::Geometry& geometry,
                                                  const Vec3<double>& q,
                                                  const spins::SpinState& state);

/// The transform of each basis atom's sublattice.
/// @throws MachineError when the GPU's memory is short or cuFFT is missing
/// @throws InputError unless every q is a wave vector of the lattice
std::unique_ptr<GpuTransform> make_gpu_fft(const lattice::Geometry& geometry, const QList& q,
                                           const spins::SpinState& state);

/// Bytes that they will take on the GPU.
double gpu_sum_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);
double gpu_sum_of_one_bytes(const lattice::Geometry& geometry, Index replicas);
double gpu_fft_bytes(const lattice::Geometry& geometry, const QList& q, Index replicas);

}  // namespace larmor::correlations
