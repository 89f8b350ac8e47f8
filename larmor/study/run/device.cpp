#include "larmor/study/run/device.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "larmor/core/error.hpp"
#include "larmor/core/fnv_hash.hpp"
#include "larmor/study/run/arithmetic.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

/// Fewer sites of all replicas do not keep a GPU busy.
constexpr Index sites_worth_a_gpu = 4096;

Precision precision_of(const std::string& name) {
  if (name == "single") return Precision::single_numbers;
  return name == "mixed" ? Precision::mixed_numbers : Precision::double_numbers;
}

void require_known_to_cpu(Precision precision, const SourcePosition& where) {
  if (precision == Precision::mixed_numbers)
    throw InputError("mixed precision is for GPUs", where,
                     "use \"double\" or \"single\", or backend = \"cuda\"");
}

/// The first usable GPU of this rank, in the order of gpus_to_try. -1: none is usable.
int chosen_ordinal(const DeviceOverrides& overrides) {
  for (const int ordinal :
       gpus_to_try(overrides.rank_on_node, overrides.ranks_on_node, gpu_count()))
    if (gpu_info(ordinal).problem.empty()) return ordinal;
  return -1;
}

/// @throws MachineError that says why there is none
Device chosen_gpu(const DeviceOverrides& overrides) {
  const int chosen = chosen_ordinal(overrides);
  return Device::cuda(std::max(0, chosen));
}

/// The default number of threads: the cores of the machine, shared among its ranks, unless the
/// launcher has bound each rank to its own cores.
Index threads_of_rank(const DeviceOverrides& overrides) {
  if (overrides.ranks_on_node == 1 || std::getenv("OMP_NUM_THREADS") != nullptr) return 0;
  const long cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return std::clamp<Index>(cores / overrides.ranks_on_node, 1, omp_get_num_procs());
}

/// The properties that bits depend on. On a GPU the host's kernels compute no results.
std::string kind_of(const Device& device) {
  Arithmetic arithmetic = arithmetic_of(device);
  if (device.backend == Backend::cuda) arithmetic.instruction_set.clear();
  return text_of(arithmetic);
}

}  // namespace

const char* name_of(Precision precision) {
  switch (precision) {
    case Precision::double_numbers:
      return "double";
    case Precision::single_numbers:
      return "single";
    default:
      return "mixed";
  }
}

std::vector<int> gpus_to_try(int rank, int ranks, int count) {
  std::vector<int> order;
  const auto add = [&](int ordinal) {
    if (std::find(order.begin(), order.end(), ordinal) == order.end()) order.push_back(ordinal);
  };
  if (count > 0) add(rank % count);
  const int spare = count - ranks;
  for (int n = 0; n < spare; ++n) add(ranks + (rank + n) % spare);
  for (int n = 0; n < count; ++n) add((rank + n) % count);
  return order;
}

Device device_of(const Study& study, const SystemSize& system, const DeviceOverrides& overrides) {
  const std::string backend = overrides.backend.empty() ? study.device.backend : overrides.backend;
  const std::string precision =
      overrides.precision.empty() ? study.device.precision : overrides.precision;
  const Index threads = overrides.threads > 0 ? overrides.threads : study.device.threads;
  Device device = Device::cpu(static_cast<int>(threads > 0 ? threads : threads_of_rank(overrides)));
  device.precision = precision_of(precision);

  const auto fine = first_stage(study, &Stage::needs_double_spins);
  const bool worth_it = system.movable * study.replicas >= sites_worth_a_gpu;
  const bool on_gpu =
      backend == "cuda" || (backend == "auto" && chosen_ordinal(overrides) >= 0 &&
                            (worth_it || device.precision == Precision::mixed_numbers));
  if (fine && device.precision == Precision::single_numbers)
    throw InputError("the stage " + fine->kind + " needs spins in double precision",
                     study.device.where.of("precision"),
                     "use precision = \"double\", or \"mixed\" on a GPU");
  if (on_gpu) {
    const Device gpu = chosen_gpu(overrides);
    device.backend = gpu.backend;
    device.ordinal = gpu.ordinal;
  } else {
    require_known_to_cpu(device.precision, study.device.where.of("precision"));
  }
  return device;
}

Device device_of(const DeviceOverrides& chosen) {
  const bool on_gpu =
      chosen.backend == "cuda" || (chosen.backend == "auto" && chosen_ordinal(chosen) >= 0);
  // With a GPU, threads of the host make tables, so 0 takes all threads.
  const Index fewest = on_gpu ? 0 : 1;
  Device device = Device::cpu(static_cast<int>(chosen.threads > 0 ? chosen.threads : fewest));
  device.precision = precision_of(chosen.precision);
  if (on_gpu) {
    device.backend = Backend::cuda;
    device.ordinal = chosen_gpu(chosen).ordinal;
  } else {
    require_known_to_cpu(device.precision, {});
  }
  return device;
}

Device whole_device_of(const DeviceOverrides& chosen) {
  Device device = device_of(chosen);
  if (chosen.threads == 0) device.threads = Device::cpu().threads;
  return device;
}

void require_alike(const Communicator& world, const Device& device) {
  std::string kind;
  world.together([&] { kind = kind_of(device); });
  const double own = short_hash(std::span<const char>(kind));
  const std::vector<double> most = world.maximum({own, -own});
  world.together([&] {
    if (world.is_root() && most[0] != -most[1])
      throw MachineError("the ranks have different devices; that of the first is " +
                         device_text(device) +
                         ". All ranks must have the same backend, precision, kind of GPU and "
                         "instruction set of the CPU. All or none must compile kernels for the "
                         "model (NVRTC, LARMOR_JIT). Give all ranks equal options, on machines of "
                         "one kind. If only the CPUs differ, set LARMOR_INSTRUCTION_SET=v3");
  });
}

std::string device_text(const Device& device) {
  const std::string numbers = std::string(", ") + name_of(device.precision);
  if (device.backend == Backend::cpu)
    return std::to_string(device.threads) + " thread(s), x86-64-" + cpu_instruction_set() + numbers;
  return "GPU " + std::to_string(device.ordinal) + ", " + gpu_info(device.ordinal).name + numbers;
}

}  // namespace larmor::study
