// Compiled where CUDA or CUTLASS's headers are missing.

#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/gpu_sums_maker.hpp"

namespace larmor::correlations::real_space {

#if defined(LARMOR_HAS_CUDA)

const GpuSumsMaker* tensor_core_sums() { return nullptr; }

#else

namespace {

[[noreturn]] void fail() { throw MachineError("this build has no CUDA"); }

}  // namespace

bool has_tensor_core_sums(const Device&) { return false; }

std::unique_ptr<FusedSums> make_fourier_sums(const Device&, const PairSettings&,
                                             std::span<const Vec3<double> >,
                                             std::span<const Vec3<double> >, const RowShare&) {
  fail();
}

std::unique_ptr<FusedSums> make_group_sums(const Device&, const PairSettings&,
                                           std::span<const std::int32_t>, Index, double,
                                           const RowShare&) {
  fail();
}

std::unique_ptr<FusedSums> make_distance_sums(const Device&, const PairSettings&,
                                              std::span<const Vec3<double> >, const DistanceBins&,
                                              double, const RowShare&) {
  fail();
}

std::unique_ptr<FusedSums> make_displacement_sums(const Device&, const PairSettings&,
                                                  std::span<const lattice::SiteIndex>,
                                                  const DisplacementBins&, double,
                                                  const RowShare&) {
  fail();
}

std::unique_ptr<FusedSums> make_value_sums(const Device&, const PairSettings&,
                                           const CorrelationBins&, const RowShare&) {
  fail();
}

Index fused_pieces(Index) { return 0; }

double fourier_sums_bytes(Index, Index, Index, PairPrecision, bool) { return 0; }

#endif

}  // namespace larmor::correlations::real_space
