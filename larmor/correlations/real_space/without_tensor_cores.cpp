// Compiled where CUDA or CUTLASS's headers are missing.

#include "larmor/core/error.hpp"
#include "larmor/correlations/real_space/fused_sums.hpp"
#include "larmor/correlations/real_space/ladder_rungs.hpp"

namespace larmor::correlations::real_space {
namespace {

[[noreturn]] void refuse() {
  throw MachineError(
      "this build has no correlation kernels for tensor cores: it found no headers of CUTLASS");
}

}  // namespace

bool has_fused_sums(const Device&) { return false; }

std::unique_ptr<FusedSums> make_fourier_sums(const Device&, const FourierSumsSettings&) {
  refuse();
}

double fourier_sums_bytes(Index, Index, Index, PairPrecision) { return 0; }

std::unique_ptr<LadderRung> make_fused_load_rung(const Device&, const LadderProblem&,
                                                 const SpinMatrices&) {
  refuse();
}

std::unique_ptr<LadderRung> make_fused_registers_rung(const Device&, const LadderProblem&,
                                                      const SpinMatrices&) {
  refuse();
}

std::unique_ptr<LadderRung> make_fused_shared_rung(const Device&, const LadderProblem&,
                                                   const SpinMatrices&) {
  refuse();
}

}  // namespace larmor::correlations::real_space
