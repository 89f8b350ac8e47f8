#pragma once
// One step of every integration scheme, compiled for each instruction set (steps.lanes.cpp) and for
// CUDA, and selected at run time.

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/spins/integrators/schemes.hpp"

namespace larmor::spins {

/// Number of work fields of a scheme, in addition to the spins.
inline int work_fields(Scheme scheme, bool noisy) {
  return info_of(scheme).work_fields + (noisy ? info_of(scheme).noise_fields : 0);
}

/// Blocks [first, last) of replicas.
struct BlockRange {
  Index first, last;
};

struct StepKernels {
  /// One step of an explicit scheme for all sites of some blocks.
  void (*step)(Scheme, const Device&, const LlgView&, const BlockRange&);
  /// One step of the implicit midpoint rule. A block has converged if the mean square change of a
  /// spin is at most `tolerance`^2 in every replica of the block. Converged blocks do not change.
  /// @param expected_iterations iterations on a GPU before the host reads which blocks have
  ///        converged; the result does not depend on this number
  /// @return the iterations of the slowest block; more than `most_iterations` if this block did not
  ///        converge
  int (*midpoint_step)(const Device&, const LlgView&, const BlockRange&, double tolerance,
                       int most_iterations, int expected_iterations);
};

/// The kernels for a device: for the instruction set of this machine, or CUDA.
LARMOR_DEVICE_KERNELS(StepKernels, step_kernels)

}  // namespace larmor::spins
