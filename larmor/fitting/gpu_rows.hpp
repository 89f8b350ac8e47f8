#pragma once
// Rows of many configurations at a time, on a GPU. The configurations are replicas of one state,
// whose neighbours are searched as in molecular dynamics. The energy of a potential with the only
// coefficient 1 of component k is B_k. So the kernels of energies and gradients also give B_k and
// dB_k/dr, one component after the other. Sums over atoms have another order than on a CPU.

#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/fitting/design.hpp"

namespace larmor::fitting {

class GpuRows : public RowSource {
 public:
  /// @param design must outlive this
  GpuRows(const Device& device, const Design& design);

  double share_of_batch(const Configuration& configuration) const override;
  void compute(std::span<const Configuration> configurations, RowBatch& batch) override;

 private:
  struct Work;

  void find_neighbours(Work& work);
  void find_components(Work& work);
  void find_columns(Work& work, RowBatch& batch);

  const Design& design_;
  Device device_;
  std::vector<std::int32_t> elements_;  ///< 0, 1, ..
  atoms::snap::SnapPotential linear_;   ///< the form of the fit without products
  atoms::snap::GpuSnap snap_;
  std::unique_ptr<atoms::GpuForceField> reference_;  ///< neighbours, and the reference
  double cutoff_, most_bytes_;
};

}  // namespace larmor::fitting
