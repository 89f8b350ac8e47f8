#include "larmor/study/memory_forecast.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"
#include "larmor/core/memory.hpp"
#include "larmor/core/real_array.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/stencil_use.hpp"
#include "larmor/study/model_results.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

/// What a GPU needs beside what is counted: kernels, sums under way, what lies between arrays.
constexpr double of_the_program = 128.0 * 1048576;

struct Share {
  double device = 0, host = 0;
};

Share of_dipoles(const Study& study, const lattice::Geometry& geometry, const Device& device,
                 Index copies) {
  Share bytes;
  for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(study.terms)) {
    const std::string method = dipolar.chosen_method(geometry);
    const auto sites = static_cast<double>(geometry.sites());
    if (method == "fft" && device.backend == Backend::cuda) {
      bytes.device += spins::Convolution::gpu_bytes(geometry, copies, device.precision);
      bytes.host += spins::Convolution::bytes(geometry, 1, 1);
    } else if (method == "fft") {
      bytes.device += spins::Convolution::bytes(geometry, copies, device.threads);
    }
    // A tensor of every pair as it is made, and from both its ends in the tables, once more while
    // they are filled.
    if (method == "bonds")
      bytes.host += sites * sites * (0.5 * sizeof(spins::PairCoupling) + 4 * 72.0);
  }
  return bytes;
}

/// Positions, bonds and what is written of them for each site, measured on lattices with six to
/// twelve neighbours.
double host_bytes_a_site(const lattice::Geometry& geometry, const Device& device) {
  const bool listed = !geometry.is_perfect() || geometry.sites() <= most_listed_sites;
  // Otherwise only the order of sites, once in the model and once in the state; and their
  // neighbours, where they are not on a GPU.
  if (listed) return 150;
  return device.backend == Backend::cuda ? 8 : 70;
}

/// The study with so many of its replicas.
Study with_replicas(Study study, Index replicas) {
  study.replicas = replicas;
  return study;
}

}  // namespace

MemoryForecast forecast_memory(const Study& study, const lattice::Geometry& geometry,
                               const Device& device, Index all_replicas) {
  const SpinLayout layout{geometry.sites(), study.replicas};
  const Study of_all = with_replicas(study, all_replicas == 0 ? study.replicas : all_replicas);
  MemoryForecast forecast;
  double device_bytes = 0;
  Index copies = study.replicas;
  int number = 0;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(table, study.context);
    const double of_share = stage->extra_bytes(study, geometry);
    const double measurements = of_share + stage->bytes_of_all_replicas(of_all, geometry);
    ++number;
    if (measurements > forecast.measurements) {
      forecast.measurements = measurements;
      forecast.stage = "stage " + std::to_string(number) + ", " + stage->kind();
    }
    device_bytes =
        std::max(device_bytes, stage->device_bytes(study, geometry, device, of_all.replicas));
    copies = std::max(copies, stage->copies(study));
  }
  const Share dipoles = of_dipoles(study, geometry, device, copies);
  forecast.spins = static_cast<double>(bytes_of_reals(device.precision, layout.numbers()));
  forecast.work = device_bytes + dipoles.device;
  // Checkpoints are made of a copy of the spins; on a GPU one more is on its way.
  const double copies_of_spins = device.backend == Backend::cuda ? 2 : 1;
  forecast.host = copies_of_spins * 8 * static_cast<double>(layout.numbers()) +
                  host_bytes_a_site(geometry, device) * static_cast<double>(geometry.sites()) +
                  replica_table_bytes(study, geometry) + forecast.measurements + dipoles.host;
  return forecast;
}

void require_gpu_memory(const MemoryForecast& forecast, double tables, double free,
                        const GpuInfo& gpu, Precision precision) {
  const double needed = forecast.spins + forecast.work + tables + of_the_program;
  if (needed <= free) return;
  std::string parts =
      memory_text(forecast.spins) + " for the spins, " + memory_text(forecast.work) + " to work in";
  if (tables > 0) parts += ", " + memory_text(tables) + " for tables";
  throw MachineError("the study needs " + memory_text(needed) + " of memory on GPU " +
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

lattice::Geometry geometry_that_fits(const Study& study, const DeviceOverrides& overrides,
                                     const Ranks& ranks) {
  lattice::Geometry geometry = build_geometry(study);
  require_memory(study, geometry, overrides, ranks);
  return geometry;
}

void require_memory(const Study& study, const lattice::Geometry& geometry,
                    const DeviceOverrides& overrides, const Ranks& ranks) {
  const Device device = device_of(study, geometry, overrides);
  MemoryForecast forecast =
      forecast_memory(with_replicas(study, ranks.share().count), geometry, device, study.replicas);
  if (ranks.size() > 1) {
    // A checkpoint of all replicas is read by every rank. It is gathered and written by the root,
    // which measures for all; what ranks share of a lattice passes through as much.
    const MemoryForecast of_all = forecast_memory(study, geometry, device);
    if (ranks.is_root()) forecast.host = of_all.host;
    forecast.host += (ranks.is_root() ? 2 : 1) * 8 *
                     static_cast<double>(SpinLayout{geometry.sites(), study.replicas}.numbers());
  }
  if (device.backend == Backend::cuda) {
    const GpuInfo gpu = gpu_of(device);
    require_gpu_memory(forecast, 0, static_cast<double>(gpu.free_bytes), gpu, device.precision);
  }
  const double needed = forecast.on_host(device);
  const double available = static_cast<double>(available_memory()) / overrides.ranks_on_node;
  if (needed > available)
    throw MachineError("the study needs " + memory_text(needed) + " of memory" +
                       (2 * forecast.measurements > needed
                            ? ", " + memory_text(forecast.measurements) +
                                  " of it for what is measured by " + forecast.stage + ", but "
                            : ", but ") +
                       memory_text(available) + " are free" +
                       (overrides.ranks_on_node > 1 ? " for each rank of this machine" : "") +
                       "; use fewer sites, replicas, wave vectors or samples");
}

double table_bytes(const Study& study, const SpinSystem& system) {
  auto bytes = static_cast<double>(system.model.bytes());
  const auto to_come = static_cast<double>(system.model.bytes_to_come());
  if (to_come > 0) {
    const bool made = spins::stencil_to_use(system.model, system.state.layout(), system.device,
                                            spins::StencilCells::crystal)
                          .has_value();
    if (!made || first_stage(study.stage, study.context, &Stage::reads_tables)) bytes += to_come;
  }
  return bytes;
}

void require_working_memory(const Study& study, const SpinSystem& system) {
  double tables = table_bytes(study, system);
  const auto made = static_cast<double>(system.model.bytes());
  if (system.device.backend != Backend::cuda) {
    const auto available = static_cast<double>(available_memory());
    if (tables - made > available)
      throw MachineError("tables of neighbours need " + memory_text(tables - made) +
                         " of memory, but " + memory_text(available) +
                         " are free; use fewer sites or neighbours");
    return;
  }
  const MemoryForecast forecast =
      forecast_memory(with_replicas(study, system.state.layout().replicas), system.geometry,
                      system.device, system.state.layout().study_replicas());
  // The host's; what the GPU takes of it is in the forecast.
  const double elsewhere =
      system.model.long_range() != nullptr ? system.model.long_range()->bytes() : 0;
  tables -= elsewhere;
  const double held = made - elsewhere;
  const GpuInfo gpu = gpu_of(system.device);
  require_gpu_memory(forecast, tables, static_cast<double>(gpu.free_bytes) + forecast.spins + held,
                     gpu, system.device.precision);
}

}  // namespace larmor::study
