#pragma once
// What a study will need of memory, forecast before anything large is allocated.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::study {

/// Bytes. The tables of the Hamiltonian are known once it is made.
struct MemoryForecast {
  double state = 0;  ///< of all replicas of the process, in the numbers of the device
  double work = 0;   ///< of the hungriest stage and long-range interactions, where the state is
  double host = 0;   ///< beside both: copies for files, tables while they are made, measurements
  double saved = 0;  ///< of a checkpoint
  double measurements = 0;  ///< of the host's, those of the stage that has most of them
  std::string stage = {};   ///< "stage 2, dynamics": that one

  double on_host(const Device& device) const {
    return device.backend == Backend::cuda ? host : host + state + work;
  }
};

/// @throws InputError if a stage cannot be run on this system
/// @param replicas of this process
MemoryForecast forecast_memory(const Study& study, const Blueprint& system, const Device& device,
                               Index replicas);

/// @param state what the state is called @param tables bytes of the Hamiltonian on the GPU, 0 where
/// they are not known yet
/// @param free of the GPU's bytes, with what the study holds already
/// @throws MachineError saying what is needed and what is free, if it does not fit
void require_gpu_memory(const MemoryForecast& forecast, const std::string& state, double tables,
                        double free, const GpuInfo& gpu, Precision precision);

/// The GPU of a device. @throws MachineError when it is gone
GpuInfo gpu_of(const Device& device);

/// Does a study of this system fit in memory, before anything large is allocated?
/// @param device as device_of says @param ranks_on_node that share the memory of this machine
/// @return the forecast of this process
/// @throws InputError as forecast_memory, MachineError saying what is needed and free
MemoryForecast require_memory(const Study& study, const Blueprint& system, const Device& device,
                              int ranks_on_node, const Ranks& ranks);

/// Bytes of the tables of the Hamiltonian: those that are there, and those that the stages will
/// have made.
double table_bytes(const Study& study, const System& system);

/// Once the system is there: does what the stages still need fit as well?
/// @param forecast as require_memory returns it @throws MachineError saying what is needed and free
void require_working_memory(const Study& study, const System& system,
                            const MemoryForecast& forecast);

}  // namespace larmor::study
