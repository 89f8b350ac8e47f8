#pragma once
// From the [device] table, and what the command line says instead, to where a study runs.

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// What the command line says instead of the study; empty or 0: nothing.
struct DeviceOverrides {
  std::string backend, precision;
  Index threads = 0;
  /// Among the processes of a study on this machine, which share its GPUs, cores and memory.
  int rank_on_node = 0, ranks_on_node = 1;
};

/// "auto" takes a GPU where there is one, the study can run there and is large enough to gain.
/// @throws InputError when the study cannot run there, MachineError when there is no such device
Device device_of(const Study& study, const SystemSize& system,
                 const DeviceOverrides& overrides = {});

/// What is chosen without any study: one thread of the CPU and doubles if nothing is. "auto" takes
/// a GPU where there is one.
Device device_of(const DeviceOverrides& chosen);
/// The same with all threads of the CPU if no number is chosen.
Device whole_device_of(const DeviceOverrides& chosen);

/// GPUs of `count` in the order in which one of some ranks on a machine tries them: its own, should
/// that be closed those that are no rank's own, then all others.
std::vector<int> gpus_to_try(int rank, int ranks, int count);

/// Do all ranks compute on devices of one kind, in the same numbers and by the same kernels? Each
/// has chosen for itself, and bits depend on all of that. To be called by all of them.
/// @throws MachineError where they do not
void require_alike(const Communicator& world, const Device& device);

/// "double", "single" or "mixed"
const char* name_of(Precision precision);

/// "2 thread(s), x86-64-v3, double" or "GPU 0, NVIDIA H200, mixed"
std::string device_words(const Device& device);

}  // namespace larmor::study
