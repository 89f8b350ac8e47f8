#pragma once
// What stands for a study before it runs, so that to look at it takes little memory and time: a
// system of one block of replicas, and a smaller study on which the speed of its stages is tried
// out.

#include <memory>

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/run/memory_forecast.hpp"

namespace larmor::study {

/// Where the study begins, with all sites. It has the first replicas alone, unless these differ by
/// their frozen disorder. @throws InputError, MachineError as Blueprint::make and System::begin
std::unique_ptr<System> system_to_look_at(const Study& study, const Blueprint& blueprint,
                                          const Device& device);

/// Has such a system all replicas?
bool has_all_replicas(const Study& study, const System& system);

/// A study like another one, with fewer replicas or a smaller lattice.
struct Trial {
  Study study;
  std::unique_ptr<Blueprint> blueprint;
  std::unique_ptr<System> system;
  Ranks ranks;
  double scale = 1;  ///< updates of the large study for one of this
};

/// @param system of `study` @param forecast of it
/// @return null: the study is small, or nothing smaller runs as it does
std::unique_ptr<Trial> find_trial(const Study& study, System& system,
                                  const MemoryForecast& forecast);

}  // namespace larmor::study
