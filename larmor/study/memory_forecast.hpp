#pragma once
// What a study will need of memory, forecast before anything large is allocated.

#include <string>

#include "larmor/core/device.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/study/device.hpp"
#include "larmor/study/ranks.hpp"
#include "larmor/study/study.hpp"
#include "larmor/study/system.hpp"

namespace larmor::study {

/// Bytes. The tables of the Hamiltonian are known once it is made.
struct MemoryForecast {
  double spins = 0;  ///< in the numbers of the device
  double work = 0;   ///< of the hungriest stage and long-range interactions, where the spins are
  double host = 0;   ///< beside both: copies for files, tables while they are made, measurements
  double measurements = 0;  ///< of the host's, those of the stage that has most of them
  std::string stage;        ///< "stage 2, dynamics": that one

  double on_host(const Device& device) const {
    return device.backend == Backend::cuda ? host : host + spins + work;
  }
};

/// @throws InputError if a stage cannot be run on this system
/// @param all_replicas of all ranks, where the study has those of one; 0: they are the study's
MemoryForecast forecast_memory(const Study& study, const lattice::Geometry& geometry,
                               const Device& device, Index all_replicas = 0);

/// @param tables bytes of the Hamiltonian on the GPU, 0 where they are not known yet
/// @param free of the GPU's bytes, with what the study holds already
/// @throws MachineError saying what is needed and what is free, if it does not fit
void require_gpu_memory(const MemoryForecast& forecast, double tables, double free,
                        const GpuInfo& gpu, Precision precision);

/// The GPU of a device. @throws MachineError when it is gone
GpuInfo gpu_of(const Device& device);

/// The geometry of a study that fits in memory, before anything large is allocated.
/// @throws InputError as build_geometry and device_of, MachineError saying what is needed and free
lattice::Geometry geometry_that_fits(const Study& study, const DeviceOverrides& overrides,
                                     const Ranks& ranks);

/// Does a study whose geometry is known fit? @throws as geometry_that_fits
void require_memory(const Study& study, const lattice::Geometry& geometry,
                    const DeviceOverrides& overrides, const Ranks& ranks);

/// Bytes of the tables of the Hamiltonian: those that are there, and those that the stages will
/// have made.
double table_bytes(const Study& study, const SpinSystem& system);

/// Once lattice, Hamiltonian and spins are there: does what the stages still need fit as well?
/// @throws MachineError saying what is needed and free
void require_working_memory(const Study& study, const SpinSystem& system);

}  // namespace larmor::study
