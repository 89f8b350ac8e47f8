#pragma once
// Forecasts the memory of a study before anything large is allocated.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::study {

/// Bytes. The tables of the Hamiltonian are not included, because their size is known only after
/// construction.
struct MemoryForecast {
  double state = 0;  ///< all replicas of the process, in the numbers of the device
  double work = 0;   ///< on the device: the most that any stage needs, plus long-range interactions
  double host = 0;   ///< further memory of the host: copies for files, tables during construction,
                     ///< measurements
  double saved = 0;  ///< size of a checkpoint
  double measurements = 0;  ///< the largest measurements of a stage, included in `host`
  std::string stage = {};   ///< "stage 2, dynamics": the stage with these measurements

  double on_host(const Device& device) const {
    return device.backend == Backend::cuda ? host : host + state + work;
  }
};

/// @param replicas those of this process
/// @throws InputError if a stage cannot run on this system
MemoryForecast forecast_memory(const Study& study, const Blueprint& system, const Device& device,
                               Index replicas);

/// @param state name of the state
/// @param tables bytes of the Hamiltonian on the GPU, 0 if not known yet
/// @param free bytes of the GPU, including those that the study holds already
/// @throws MachineError with the needed and the free bytes, if the study does not fit
void require_gpu_memory(const MemoryForecast& forecast, const std::string& state, double tables,
                        double free, const GpuInfo& gpu, Precision precision);

/// The GPU of a device. @throws MachineError if the GPU no longer exists
GpuInfo gpu_of(const Device& device);

/// Checks that a study of this system fits in memory, before anything large is allocated.
/// @param device the device that device_of gives
/// @param ranks_on_node number of ranks that share the memory of this machine
/// @return the forecast of this process
/// @throws InputError as forecast_memory, MachineError with the needed and the free bytes
MemoryForecast require_memory(const Study& study, const Blueprint& system, const Device& device,
                              int ranks_on_node, const Ranks& ranks);

/// Bytes of the tables of the Hamiltonian: existing ones, and those that stages will add.
double table_bytes(const Study& study, const System& system);

/// After construction of the system: checks that the further needs of the stages fit as well.
/// @param forecast the one that require_memory returned
/// @throws MachineError with the needed and the free bytes
void require_working_memory(const Study& study, const System& system,
                            const MemoryForecast& forecast);

}  // namespace larmor::study
