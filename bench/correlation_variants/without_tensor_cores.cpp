// The build compiles this source instead of fused.sm_90a.cu if CUTLASS's headers are missing.

#include "bench/correlation_variants/methods.hpp"
#include "larmor/core/error.hpp"

#if defined(LARMOR_HAS_CUDA)

namespace larmor::bench {
namespace {

[[noreturn]] void fail() {
  throw MachineError(
      "this build has no correlation kernels for tensor cores: CUTLASS's headers were missing");
}

}  // namespace

std::unique_ptr<VariantMethod> make_fused_load(const Device&, const VariantProblem&,
                                               const SpinMatrices&) {
  fail();
}

std::unique_ptr<VariantMethod> make_fused_registers(const Device&, const VariantProblem&,
                                                    const SpinMatrices&) {
  fail();
}

std::unique_ptr<VariantMethod> make_fused_shared(const Device&, const VariantProblem&,
                                                 const SpinMatrices&) {
  fail();
}

}  // namespace larmor::bench

#endif
