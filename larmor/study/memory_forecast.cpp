#include "larmor/study/memory_forecast.hpp"

#include <algorithm>
#include <cstdio>

#include "larmor/core/error.hpp"
#include "larmor/core/real_array.hpp"
#include "larmor/core/views.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/study/model_results.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

void require_fits(double needed, double available, const char* memory) {
  if (needed <= available) return;
  constexpr double gib = 1024.0 * 1024 * 1024;
  char text[160];
  std::snprintf(text, sizeof(text),
                "the study needs %.1f GiB of %smemory, but %.1f GiB are free; use fewer sites, "
                "replicas or samples",
                needed / gib, memory, available / gib);
  throw MachineError(text);
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

}  // namespace

WorkingBytes working_bytes(const Study& study, const lattice::Geometry& geometry,
                           const Device& device) {
  const bool on_gpu = device.backend == Backend::cuda;
  WorkingBytes bytes;
  Index copies = study.replicas;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(table, study.context);
    const double all = stage->extra_bytes(study, geometry);
    const double beside = on_gpu ? stage->bytes_beside_spins(study, geometry) : 0;
    bytes.host = std::max(bytes.host, all - beside);
    bytes.gpu =
        std::max(bytes.gpu, beside / 8 * static_cast<double>(bytes_of_reals(device.precision, 1)));
    copies = std::max(copies, stage->copies(study));
  }
  for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(study.terms)) {
    const std::string method = dipolar.chosen_method(geometry);
    const int threads = Device::cpu(static_cast<int>(study.device.threads)).threads;
    const auto sites = static_cast<double>(geometry.sites());
    if (method == "fft") bytes.host += spins::Convolution::bytes(geometry, copies, threads);
    // A tensor of every pair as it is made, and from both its ends in the tables, once more while
    // they are filled.
    if (method == "bonds")
      bytes.host += sites * sites * (0.5 * sizeof(spins::PairCoupling) + 4 * 72.0);
  }
  return bytes;
}

lattice::Geometry geometry_that_fits(const Study& study, const DeviceOverrides& overrides) {
  lattice::Geometry geometry = build_geometry(study);
  const Device device = device_of(study, geometry, overrides);
  const SpinLayout layout{geometry.sites(), study.replicas};
  const WorkingBytes working = working_bytes(study, geometry, device);
  // The spins, twice: checkpoints and configurations are made of a copy.
  require_fits(2 * 8.0 * 3 * static_cast<double>(layout.padded_sites()) *
                       static_cast<double>(layout.padded_replicas()) +
                   host_bytes_a_site(geometry, device) * static_cast<double>(geometry.sites()) +
                   replica_table_bytes(study, geometry) + working.host,
               static_cast<double>(available_memory()), "");
  if (device.backend == Backend::cuda)
    for (const GpuInfo& gpu : list_gpus())
      if (gpu.ordinal == device.ordinal)
        require_fits(
            static_cast<double>(bytes_of_reals(device.precision, layout.numbers())) + working.gpu,
            static_cast<double>(gpu.free_bytes), "GPU ");
  return geometry;
}

}  // namespace larmor::study
