#pragma once
// Totals of the factorised sum as integers. BITS: what threads have found is rounded before it is
// added up, so that neither the order nor who adds it shows.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"

namespace larmor::correlations {

using Integer = unsigned long long;

/// Real parts of three components, then imaginary parts.
inline constexpr int parts_of_amplitude = 6;

/// (block of replicas, wave vector, 6, lanes of a block); lanes without a replica stay zero
struct Totals {
  SpinLayout layout;
  Index wave_vectors;
  double scale;  ///< of sums as integers
  Integer* of;

  /// A single replica has one lane.
  LARMOR_HD int lanes() const { return layout.one_replica() ? 1 : lane_count; }
  LARMOR_HD Index count() const {
    return layout.blocks() * wave_vectors * parts_of_amplitude * lanes();
  }
  /// Those of one wave vector, (6, lanes).
  __device__ Integer* of_wave(Index block, Index q) const {
    return of + (block * wave_vectors + q) * parts_of_amplitude * lanes();
  }
  __device__ Integer rounded(double x) const {
    return static_cast<Integer>(__double2ll_rn(x * scale));
  }
  /// Of number `n` of an amplitude, (3, re im), among the totals.
  __device__ Index place(Index q, Index replica, int n) const {
    const Index sum = replica / lane_count * wave_vectors + q;
    return (sum * parts_of_amplitude + n % 2 * 3 + n / 2) * lanes() + replica % lane_count;
  }
  __device__ double unscaled(Integer total) const {
    return static_cast<double>(static_cast<long long>(total)) / scale;
  }
};

/// Totals in a GPU's memory.
class IntegerTotals {
 public:
  IntegerTotals(const spins::SpinState& state, Index wave_vectors);

  /// What kernels add to; zero at first.
  const Totals& view() const { return view_; }
  /// Numbers of the amplitudes.
  Index numbers() const { return view_.wave_vectors * view_.layout.replicas * parts_of_amplitude; }
  /// Amplitudes of all that was added since the last time, by every process that shares the sites.
  Pending take();

  /// Bytes on the GPU, at most.
  static double bytes(const SpinLayout& layout, Index wave_vectors);

 private:
  Device device_;
  Totals view_;
  Array<Integer> totals_;
  Array<double> halves_;  ///< of processes that share the sites
  Array<double> amplitudes_;
};

}  // namespace larmor::correlations
