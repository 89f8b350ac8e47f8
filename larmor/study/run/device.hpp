#pragma once
// Chooses the device of a study from its [device] table and the command line.

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/study/input/study.hpp"

namespace larmor::study {

/// Choices on the command line that replace those of the study; empty or 0: none.
struct DeviceOverrides {
  std::string backend, precision;
  Index threads = 0;
  /// This process among those of the study on this machine, which share GPUs, cores and memory.
  int rank_on_node = 0, ranks_on_node = 1;
};

/// "auto" takes a GPU if one exists, the study can run on it, and the study is so large that the
/// GPU is faster.
/// @throws InputError if the study cannot run there, MachineError if the device does not exist
Device device_of(const Study& study, const SystemSize& system,
                 const DeviceOverrides& overrides = {});

/// The device without a study: by default one thread of the CPU and doubles. "auto" takes a GPU if
/// one exists.
Device device_of(const DeviceOverrides& chosen);
/// As `device_of`, but with all threads of the CPU by default.
Device whole_device_of(const DeviceOverrides& chosen);

/// The order in which a rank tries `count` GPUs of a machine with some ranks. The rank's own GPU
/// comes first. If this GPU is closed to the rank, GPUs without a rank follow, and then all other
/// GPUs.
std::vector<int> gpus_to_try(int rank, int ranks, int count);

/// Checks that all ranks have equal backends, precisions and kernels. Each rank chose for itself,
/// and bits depend on these choices. A collective operation.
/// @throws MachineError if ranks differ
void require_alike(const Communicator& world, const Device& device);

/// "double", "single" or "mixed"
const char* name_of(Precision precision);

/// "2 thread(s), x86-64-v3, double" or "GPU 0, NVIDIA H200, mixed"
std::string device_text(const Device& device);

}  // namespace larmor::study
