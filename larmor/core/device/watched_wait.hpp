#pragma once
// Waits for a GPU that can be interrupted. A GPU that waits for lost GPUs never ends, so neither
// would a wait for it.

#include <functional>

namespace larmor::cuda {

/// In this scope, every wait for a GPU calls `check` from time to time. It throws if waiting has
/// become pointless.
class WaitWatch {
 public:
  explicit WaitWatch(std::function<void()> check);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;
};

/// Is there a watch? If not, waits need not poll.
bool waits_are_watched();

/// Waits until done() is true and no watch reports that the work has failed.
/// Rethrows exceptions of done() and of watches.
void wait_watched(const std::function<bool()>& done);

}  // namespace larmor::cuda
