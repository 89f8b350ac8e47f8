#pragma once
// Makes small substitutes for a study before it runs, to save memory and time: a system of one
// block of replicas, and a smaller study on which the speed of its stages is measured.

#include <memory>

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/run/memory_forecast.hpp"

namespace larmor::study {

/// The initial system with all sites. It has only the first replicas, unless replicas differ by
/// quenched disorder. @throws InputError, MachineError as Blueprint::make and System::begin
std::unique_ptr<System> preview_system(const Study& study, const Blueprint& blueprint,
                                       const Device& device);

/// Does the system that preview_system makes have all replicas?
bool has_all_replicas(const Study& study, const System& system);

/// A smaller version of a study, with fewer replicas or a smaller lattice.
struct Trial {
  Study study;
  std::unique_ptr<Blueprint> blueprint;
  std::unique_ptr<System> system;
  Ranks ranks;
  double scale = 1;  ///< updates of the large study for one of the trial
};

/// @param system the system of `study` @param forecast its forecast
/// @return null: the study is small, or no smaller one runs in the same way
std::unique_ptr<Trial> find_trial(const Study& study, System& system,
                                  const MemoryForecast& forecast);

}  // namespace larmor::study
