#pragma once
// Storage of sums over sites (EnergyAndMoment) of JIT kernels, and their final addition.
// Compiled only if CUDA is found.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

class StencilSums {
 public:
  /// Numbers of a sample.
  static constexpr int count = 4;
  /// Largest memory of the sums of all samples.
  static constexpr Index most_bytes = Index{256} << 20;
  /// @param partials number of thread blocks for all replicas
  static constexpr Index bytes_of_sample(Index partials) {
    return partials * count * lane_count * static_cast<Index>(sizeof(double));
  }

  /// @param partials number of thread blocks for each block of replicas
  StencilSums(const SpinLayout& layout, const Device& device, Index partials, Index samples);

  Index samples() const { return samples_; }
  /// Address for the sums of a sample: StencilOutput::sums.
  double* of_sample(Index sample) { return partial_.data() + sample * numbers_of_sample(); }
  /// Call before the kernels that write the sums of `samples` samples.
  void begin(Index samples);
  /// Adds up the sums of the first `samples` samples, after all kernels that were launched earlier.
  void add_up(Index samples);
  /// Energy and magnetisation per site of the first `samples` samples, after add_up.
  /// [sample][replica][4]
  Pending numbers(Index samples) const;
  /// Stores the total energies of replicas in the first sample, after add_up.
  /// @param energies on the device [padded replicas]
  void store_energies(double* energies) const;

 private:
  Index numbers_of_sample() const { return layout_.blocks() * partials_ * count * lane_count; }

  SpinLayout layout_;
  Device device_;
  Index partials_, samples_;
  Array<double> partial_;  ///< (sample, block, partial sum, 4, 8)
  Array<double> total_;    ///< (sample, 4, padded replicas)
};

}  // namespace larmor::spins
