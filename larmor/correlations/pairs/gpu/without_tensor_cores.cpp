// Replaces the sums on tensor cores. This file is compiled if CUDA or CUTLASS's headers are
// missing.

#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {

#if defined(LARMOR_HAS_CUDA)

MakeFusedSums tensor_core_sums() { return nullptr; }

#else

bool has_tensor_core_sums(const Device&) { return false; }

std::unique_ptr<FusedSums> make_fused_sums(const Device&, const PairSettings&, const PairReduction&,
                                           const RowShare&) {
  throw MachineError("this build has no CUDA");
}

Index fused_units(Index) { return 0; }

double fourier_sums_bytes(Index, Index, Index, PairPrecision, bool) { return 0; }

#endif

}  // namespace larmor::correlations::real_space
