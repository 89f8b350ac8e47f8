#pragma once
// Waits of the host for a GPU. If other GPUs are lost, work that waits for them never ends, so
// these waits can be interrupted. The host also waits so that it runs only a little ahead of the
// GPU.

#include <functional>
#include <memory>

#include "larmor/core/device/device.hpp"

namespace larmor::cuda {

/// In this scope, every wait for a GPU calls `check` from time to time. `check` throws if the wait
/// can no longer end.
class WaitWatch {
 public:
  explicit WaitWatch(std::function<void()> check);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;
};

/// Is any WaitWatch open in this process? Otherwise, waits need not poll.
bool waits_are_watched();

/// Waits until done() is true and no watch reports that the work has failed.
/// Rethrows exceptions of done() and of watches.
void wait_watched(const std::function<bool()>& done);

}  // namespace larmor::cuda

namespace larmor {

/// Limits how far the host runs ahead of a GPU, so that users can watch and interrupt a run.
/// Launches cannot be cancelled.
class LaunchPace {
 public:
  /// @param most number of batches of launches that may be pending. On a CPU, no call waits.
  LaunchPace(const Device& device, int most);
  ~LaunchPace();
  LaunchPace(const LaunchPace&) = delete;
  LaunchPace& operator=(const LaunchPace&) = delete;

  /// Waits until at most `most` batches are pending. Call it after the launches of each batch.
  /// @throws MachineError if the GPU failed
  void block_launched();

 private:
  class Events;
  std::unique_ptr<Events> events_;  ///< null for a CPU
};

}  // namespace larmor
