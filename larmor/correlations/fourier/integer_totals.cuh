#pragma once
// Totals of the factorised sum as integers. BITS: each thread rounds its sum to an integer and then
// adds it. Totals therefore depend neither on the order nor on the number of threads.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"

namespace larmor::correlations {

using Integer = unsigned long long;

/// The parts of an amplitude are the real parts of three components, then their imaginary parts.
inline constexpr int parts_of_amplitude = 6;

/// Totals as kernels read them. Lanes without a replica stay zero.
struct Totals {
  SpinLayout layout;
  Index wave_vectors;
  double scale;     ///< integers per unit of a sum
  Integer* values;  ///< (block of replicas, wave vector, 6, lanes of a block)

  /// A single replica has only one lane.
  LARMOR_HD int lanes() const { return layout.one_replica() ? 1 : lane_count; }
  LARMOR_HD Index count() const {
    return layout.blocks() * wave_vectors * parts_of_amplitude * lanes();
  }
  /// Totals of one wave vector, (6, lanes).
  __device__ Integer* wave_totals(Index block, Index q) const {
    return values + (block * wave_vectors + q) * parts_of_amplitude * lanes();
  }
  __device__ Integer rounded(double x) const {
    return static_cast<Integer>(__double2ll_rn(x * scale));
  }
  /// Position in the totals of an amplitude's number `n`, which counts (3, re im).
  __device__ Index place(Index q, Index replica, int n) const {
    const Index sum = replica / lane_count * wave_vectors + q;
    return (sum * parts_of_amplitude + n % 2 * 3 + n / 2) * lanes() + replica % lane_count;
  }
  __device__ double unscaled(Integer total) const {
    return static_cast<double>(static_cast<long long>(total)) / scale;
  }
};

/// Totals in GPU memory.
class IntegerTotals {
 public:
  IntegerTotals(const spins::SpinState& state, Index wave_vectors);

  /// Totals to which kernels add; initially zero.
  const Totals& view() const { return view_; }
  Index numbers() const { return view_.wave_vectors * view_.layout.replicas * parts_of_amplitude; }
  /// Pending amplitudes, (q, replica, 3, re im). They hold the sums since the last call, over all
  /// processes that share the sites. The call resets the totals to zero.
  Pending read_and_reset();

  /// Upper limit of bytes on the GPU.
  static double bytes(const SpinLayout& layout, Index wave_vectors);

 private:
  Device device_;
  Totals view_;
  Array<Integer> totals_;
  Array<double> halves_;  ///< halves of the integers, if processes share the sites
  Array<double> amplitudes_;
};

}  // namespace larmor::correlations
