#include "larmor/study/run/memory_forecast.hpp"

#include <algorithm>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

/// Bytes of a GPU that are not counted: kernels, sums in progress, gaps between arrays.
constexpr double of_the_program = 128.0 * 1048576;

}  // namespace

MemoryForecast forecast_memory(const Study& study, const Blueprint& system, const Device& device,
                               Index replicas) {
  const Sizing sizing{study, system.size(), device, replicas, study.replicas};
  MemoryForecast forecast;
  double device_bytes = 0;
  Index copies = replicas;
  int number = 0;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(study, table);
    stage->validate(sizing);
    const StageBytes bytes = stage->forecast(sizing);
    const double measurements = bytes.on_host();
    ++number;
    if (measurements > forecast.measurements) {
      forecast.measurements = measurements;
      forecast.stage = "stage " + std::to_string(number) + ", " + stage->kind();
    }
    device_bytes = std::max(device_bytes, bytes.device);
    copies = std::max(copies, stage->copies(replicas));
  }
  const SystemBytes of_system = system.bytes(device, replicas, copies);
  forecast.state = of_system.state;
  forecast.saved = of_system.saved;
  forecast.work = device_bytes + of_system.device;
  forecast.host = of_system.host + forecast.measurements;
  return forecast;
}

void require_gpu_memory(const MemoryForecast& forecast, const std::string& state, double tables,
                        double free, const GpuInfo& gpu, Precision precision) {
  const double needed = forecast.state + forecast.work + tables + of_the_program;
  if (needed <= free) return;
  std::string parts = memory_text(forecast.state) + " for the " + state + ", " +
                      memory_text(forecast.work) + " to work in";
  if (tables > 0) parts += ", " + memory_text(tables) + " for tables";
  throw MachineError("the study needs " + memory_text(needed) + " on GPU " +
                     std::to_string(gpu.ordinal) + " (" + parts + "), but " + memory_text(free) +
                     " of its " + memory_text(static_cast<double>(gpu.total_bytes)) +
                     " are free; use fewer replicas or sites" +
                     (precision == Precision::single_numbers ? "" : ", precision = \"single\"") +
                     " or backend = \"cpu\", or wait for other programs on the GPU");
}

GpuInfo gpu_of(const Device& device) {
  const GpuInfo gpu = gpu_info(device.ordinal);
  if (!gpu.problem.empty())
    throw MachineError("GPU " + std::to_string(gpu.ordinal) + ": " + gpu.problem);
  return gpu;
}

MemoryForecast require_memory(const Study& study, const Blueprint& system, const Device& device,
                              int ranks_on_node, const Ranks& ranks) {
  MemoryForecast forecast = forecast_memory(study, system, device, ranks.share().count);
  if (ranks.size() > 1) {
    // A checkpoint of all replicas is read by every rank, and gathered and written by the root. The
    // root measures for all ranks. Data of a shared lattice go through the root as well.
    const MemoryForecast of_all = forecast_memory(study, system, device, study.replicas);
    if (ranks.is_root()) forecast.host = of_all.host;
    forecast.host += (ranks.is_root() ? 2 : 1) * of_all.saved;
  }
  if (device.backend == Backend::cuda) {
    const GpuInfo gpu = gpu_of(device);
    require_gpu_memory(forecast, study.model_kind->state_name(), 0,
                       static_cast<double>(gpu.free_bytes), gpu, device.precision);
  }
  const double needed = forecast.on_host(device);
  const FreeMemory free = free_memory(ranks_on_node);
  if (needed > free.bytes)
    throw MachineError("the study needs " + memory_text(needed) + " of memory" +
                       (2 * forecast.measurements > needed
                            ? ", " + memory_text(forecast.measurements) +
                                  " for the measurements of " + forecast.stage + ", but "
                            : ", but ") +
                       free.description() +
                       (ranks_on_node > 1 ? " for each rank of this machine" : "") +
                       "; use fewer sites, replicas, wave vectors or samples");
  return forecast;
}

double table_bytes(const Study& study, const System& system) {
  return system.table_bytes() +
         system.table_bytes_to_come(first_stage(study, &Stage::reads_tables).has_value());
}

void require_working_memory(const Study& study, const System& system,
                            const MemoryForecast& forecast) {
  double tables = table_bytes(study, system);
  const double made = system.table_bytes();
  if (system.device.backend != Backend::cuda) {
    const FreeMemory free = free_memory();
    if (tables - made > free.bytes)
      throw MachineError("tables of neighbours need " + memory_text(tables - made) +
                         " of memory, but " + free.description() +
                         "; use fewer sites or neighbours");
    return;
  }
  const double elsewhere = system.table_bytes_elsewhere();
  tables -= elsewhere;
  const double held = made - elsewhere;
  const GpuInfo gpu = gpu_of(system.device);
  require_gpu_memory(forecast, study.model_kind->state_name(), tables,
                     static_cast<double>(gpu.free_bytes) + forecast.state + held, gpu,
                     system.device.precision);
}

}  // namespace larmor::study
