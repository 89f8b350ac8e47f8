#pragma once
// Constructors of the methods, only for variants.cpp; other code includes variants.hpp.

#include "bench/correlation_variants/variants.hpp"

namespace larmor::bench {

using MakeMethod = std::unique_ptr<VariantMethod> (*)(const Device& device,
                                                      const VariantProblem& problem,
                                                      const SpinMatrices& spins);

/// The paper's Algorithm 2: a block of threads per row.
std::unique_ptr<VariantMethod> make_baseline(const Device&, const VariantProblem&,
                                             const SpinMatrices&);
/// Tiles in shared memory, one element of C per thread.
std::unique_ptr<VariantMethod> make_simt_tile(const Device&, const VariantProblem&,
                                              const SpinMatrices&);
/// Tiles in shared memory, and 8 x 8 elements of C in the registers of each thread.
std::unique_ptr<VariantMethod> make_simt_thread_tile(const Device&, const VariantProblem&,
                                                     const SpinMatrices&);
/// Eq. (4): a product by cuBLAS, from which means are subtracted, and a sum by Thrust.
std::unique_ptr<VariantMethod> make_cublas_eq4(const Device&, const VariantProblem&,
                                               const SpinMatrices&);
/// Eq. (5): a product of centred spins by cuBLAS, and a sum by Thrust.
std::unique_ptr<VariantMethod> make_cublas_eq5(const Device&, const VariantProblem&,
                                               const SpinMatrices&);
/// Section 3.3: a product by CUTLASS, with phases that are loaded.
std::unique_ptr<VariantMethod> make_fused_load(const Device&, const VariantProblem&,
                                               const SpinMatrices&);
/// Section 3.4: a product by CUTLASS, with computed phases and the tile in registers.
std::unique_ptr<VariantMethod> make_fused_registers(const Device&, const VariantProblem&,
                                                    const SpinMatrices&);
/// Section 3.4: a product by CUTLASS, with computed phases and the tile in shared memory.
std::unique_ptr<VariantMethod> make_fused_shared(const Device&, const VariantProblem&,
                                                 const SpinMatrices&);
/// The kernel of the program, from fused_sums.hpp.
std::unique_ptr<VariantMethod> make_fused(const Device&, const VariantProblem&,
                                          const SpinMatrices&);

}  // namespace larmor::bench
