#pragma once
// One step of every integration scheme, compiled once per instruction set (steps.lanes.cpp) and
// picked at run time.

#include "larmor/core/device.hpp"
#include "larmor/spins/integrators/llg_view.hpp"

namespace larmor::spins {

enum class Scheme { rk4, depondt, heun, semi_implicit, midpoint };

/// Vector fields that a scheme works in beside the spins.
int work_fields(Scheme scheme, bool noisy);

struct StepKernels {
  /// One step of all sites of a block by an explicit scheme.
  void (*step)(Scheme, const Device&, const LlgView&, Index block);
  /// One step by the implicit midpoint rule: iterates until the mean square change of a spin is
  /// under `tolerance`^2 in every replica of the block.
  /// @return iterations done; more than `most_iterations`: it did not converge
  int (*midpoint_step)(const Device&, const LlgView&, Index block, double tolerance,
                       int most_iterations);
};

/// The kernels for this machine's instruction set.
const StepKernels& step_kernels();

}  // namespace larmor::spins
