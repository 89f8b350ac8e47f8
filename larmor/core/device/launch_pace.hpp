#pragma once
// Keeps the host from running far ahead of a GPU, so that a run can be watched and interrupted:
// what is launched cannot be taken back.

#include <memory>

#include "larmor/core/device/device.hpp"

namespace larmor {

class LaunchPace {
 public:
  /// @param most portions of work that may be launched and not done. On a CPU nothing waits.
  LaunchPace(const Device& device, int most);
  ~LaunchPace();
  LaunchPace(const LaunchPace&) = delete;
  LaunchPace& operator=(const LaunchPace&) = delete;

  /// After the launches of a portion: waits until few enough are not done.
  /// @throws MachineError when the GPU failed
  void portion_launched();

 private:
  class Events;
  std::unique_ptr<Events> events_;  ///< null: a CPU
};

}  // namespace larmor
