// Compiled where CUDA or CUTLASS's headers are missing.

#include "larmor/core/error.hpp"
#include "larmor/correlations/real_space/fused_sums.hpp"

namespace larmor::correlations::real_space {

bool has_fused_sums(const Device&) { return false; }

std::unique_ptr<FusedSums> make_fourier_sums(const Device&, const FourierSumsSettings&) {
  throw MachineError(
      "this build has no correlation kernels for tensor cores: it found no headers of CUTLASS");
}

double fourier_sums_bytes(Index, Index, Index, PairPrecision) { return 0; }

}  // namespace larmor::correlations::real_space
