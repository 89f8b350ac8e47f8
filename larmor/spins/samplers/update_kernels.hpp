#pragma once
// Updates of single spins, compiled for each instruction set (update_kernels.lanes.cpp) and for
// CUDA. All arguments are plain data, equal for every instruction set.

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/spins/samplers/updates.hpp"

namespace larmor::spins {

/// One step of a sweep: sites of one colour in blocks [first_block, last_block) of replicas.
struct UpdateRange {
  SiteRanges sites;
  Index first_block, last_block;
};

struct UpdateKernels {
  /// Updates each site of the range once.
  /// @param accepted on the device [padded replicas]; accepted moves are added
  void (*update)(Update, const Device&, const SweepView&, const UpdateRange&,
                 std::uint64_t* accepted);
};

/// The kernels for a device: for the instruction set of this machine, or CUDA.
LARMOR_DEVICE_KERNELS(UpdateKernels, update_kernels)

}  // namespace larmor::spins
