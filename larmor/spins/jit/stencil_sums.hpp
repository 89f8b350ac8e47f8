#pragma once
// Where JIT kernels leave sums over sites (EnergyAndMoment), and their last addition.
// Compiled only where CUDA is found.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

class StencilSums {
 public:
  /// Numbers of a sample.
  static constexpr int count = 4;
  /// What the sums of many samples may take together.
  static constexpr Index most_bytes = Index{256} << 20;
  /// @param parts blocks of threads for all replicas
  static constexpr Index bytes_of_sample(Index parts) {
    return parts * count * lane_count * static_cast<Index>(sizeof(double));
  }

  /// @param parts blocks of threads for each block of replicas
  StencilSums(const SpinLayout& layout, const Device& device, Index parts, Index samples);

  Index samples() const { return samples_; }
  /// Where the kernel of a sample leaves its sums: StencilOutput::sums.
  double* of_sample(Index sample) { return partial_.data() + sample * numbers_of_sample(); }
  /// Before the kernels of the first `samples`.
  void begin(Index samples);
  /// Adds up the first `samples`, behind the kernels launched before.
  void add_up(Index samples);
  /// What add_up gives. [sample][replica][4]: energy and magnetisation per site
  Pending numbers(Index samples) const;
  /// Of the first sample, energies of replicas as wholes, behind what was launched before.
  /// @param energies on the device [padded replicas]
  void store_energies(double* energies) const;

 private:
  Index numbers_of_sample() const { return layout_.blocks() * parts_ * count * lane_count; }

  SpinLayout layout_;
  Device device_;
  Index parts_, samples_;
  Array<double> partial_;  ///< (sample, block, part, 4, 8)
  Array<double> total_;    ///< (sample, 4, padded replicas)
};

}  // namespace larmor::spins
