#pragma once
// Limits how far the host runs ahead of a GPU. So users can watch and interrupt a run, since
// launches cannot be cancelled.

#include <memory>

#include "larmor/core/device/device.hpp"

namespace larmor {

class LaunchPace {
 public:
  /// @param most batches of launches that may be pending. On a CPU nothing waits.
  LaunchPace(const Device& device, int most);
  ~LaunchPace();
  LaunchPace(const LaunchPace&) = delete;
  LaunchPace& operator=(const LaunchPace&) = delete;

  /// Call it after the launches of a batch: waits until few enough batches are pending.
  /// @throws MachineError if the GPU failed
  void portion_launched();

 private:
  class Events;
  std::unique_ptr<Events> events_;  ///< null for a CPU
};

}  // namespace larmor
