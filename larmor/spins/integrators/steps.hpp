#pragma once
// One step of every integration scheme, compiled once per instruction set (steps.lanes.cpp) and for
// CUDA, and picked at run time.

#include "larmor/core/device/device.hpp"
#include "larmor/spins/integrators/llg_view.hpp"

namespace larmor::spins {

enum class Scheme { rk4, depondt, heun, semi_implicit, midpoint };

/// Vector fields that a scheme works in beside the spins.
int work_fields(Scheme scheme, bool noisy);

/// Blocks [first, last) of replicas.
struct BlockRange {
  Index first, last;
};

struct StepKernels {
  /// One step of all sites of some blocks by an explicit scheme.
  void (*step)(Scheme, const Device&, const LlgView&, const BlockRange&);
  /// One step by the implicit midpoint rule: iterates until the mean square change of a spin is
  /// under `tolerance`^2 in every replica of a block, which then stays as it is.
  /// @param expected_iterations a GPU does so many before the host asks which blocks have
  /// converged; the result does not depend on it
  /// @return iterations of the block that needed most; more than `most_iterations`: it did not
  /// converge
  int (*midpoint_step)(const Device&, const LlgView&, const BlockRange&, double tolerance,
                       int most_iterations, int expected_iterations);
};

/// The kernels for a device: for this machine's instruction set, or CUDA.
const StepKernels& step_kernels(const Device& device);

}  // namespace larmor::spins
