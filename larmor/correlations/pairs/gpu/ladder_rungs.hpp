#pragma once
// Who makes the rungs of the ladder; ladder.hpp is what others use.

#include "larmor/correlations/pairs/gpu/ladder.hpp"

namespace larmor::correlations::real_space {

using MakeRung = std::unique_ptr<LadderRung> (*)(const Device& device, const LadderProblem& problem,
                                                 const SpinMatrices& spins);

/// The paper's Algorithm 2: a block of threads a row.
std::unique_ptr<LadderRung> make_baseline_rung(const Device&, const LadderProblem&,
                                               const SpinMatrices&);
/// Tiles in shared memory, one element of C a thread.
std::unique_ptr<LadderRung> make_simt_tile_rung(const Device&, const LadderProblem&,
                                                const SpinMatrices&);
/// Tiles in shared memory and 8 x 8 elements of C in the registers of a thread.
std::unique_ptr<LadderRung> make_simt_thread_tile_rung(const Device&, const LadderProblem&,
                                                       const SpinMatrices&);
/// Eq. (4): cuBLAS, means taken off the product, Thrust.
std::unique_ptr<LadderRung> make_cublas_eq4_rung(const Device&, const LadderProblem&,
                                                 const SpinMatrices&);
/// Eq. (5): centred spins, cuBLAS, Thrust.
std::unique_ptr<LadderRung> make_cublas_eq5_rung(const Device&, const LadderProblem&,
                                                 const SpinMatrices&);
/// Section 3.3: phases loaded behind a product by CUTLASS.
std::unique_ptr<LadderRung> make_fused_load_rung(const Device&, const LadderProblem&,
                                                 const SpinMatrices&);
/// Section 3.4: phases computed there, the tile in registers.
std::unique_ptr<LadderRung> make_fused_registers_rung(const Device&, const LadderProblem&,
                                                      const SpinMatrices&);
/// Section 3.4: likewise, the tile in shared memory.
std::unique_ptr<LadderRung> make_fused_shared_rung(const Device&, const LadderProblem&,
                                                   const SpinMatrices&);
/// Ours: fused_sums.hpp.
std::unique_ptr<LadderRung> make_fused_rung(const Device&, const LadderProblem&,
                                            const SpinMatrices&);

}  // namespace larmor::correlations::real_space
