#pragma once
// Who makes sums over pairs on a GPU; fused_sums.hpp is what others use.

#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {

/// Arguments are those of the functions of fused_sums.hpp.
class GpuSumsMaker {
 public:
  virtual ~GpuSumsMaker() = default;
  virtual std::unique_ptr<FusedSums> fourier(const Device& device, const PairSettings& settings,
                                             std::span<const Vec3<double>> q,
                                             std::span<const Vec3<double>> position,
                                             const RowShare& share) const = 0;
  virtual std::unique_ptr<FusedSums> groups(const Device& device, const PairSettings& settings,
                                            std::span<const std::int32_t> group, Index groups,
                                            double largest, const RowShare& share) const = 0;
  virtual std::unique_ptr<FusedSums> distance(const Device& device, const PairSettings& settings,
                                              std::span<const Vec3<double>> position,
                                              const DistanceBins& distance, double largest,
                                              const RowShare& share) const = 0;
  virtual std::unique_ptr<FusedSums> displacement(const Device& device,
                                                  const PairSettings& settings,
                                                  std::span<const lattice::SiteIndex> site,
                                                  const DisplacementBins& displacement,
                                                  double largest, const RowShare& share) const = 0;
  virtual std::unique_ptr<FusedSums> values(const Device& device, const PairSettings& settings,
                                            const CorrelationBins& correlation,
                                            const RowShare& share) const = 0;
};

/// By tensor cores of compute capability 9.0. @return null where the build has none
const GpuSumsMaker* tensor_core_sums();

}  // namespace larmor::correlations::real_space
