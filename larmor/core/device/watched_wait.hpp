#pragma once
// Waits for a GPU that others may keep from ever ending: one that waits for lost GPUs waits for
// ever, and whoever waits for it too.

#include <functional>

namespace larmor::cuda {

/// While it lives, every wait for a GPU asks `check` now and then, which throws when there is
/// nothing to wait for any more.
class WaitWatch {
 public:
  explicit WaitWatch(std::function<void()> check);
  ~WaitWatch();
  WaitWatch(const WaitWatch&) = delete;
  WaitWatch& operator=(const WaitWatch&) = delete;
};

/// Is there a watch? Otherwise whoever waits need not ask again and again.
bool waits_are_watched();

/// Waits until done() is true, and no watch has seen that it is so for a wrong reason.
/// @throws what done or a watch throws
void wait_watched(const std::function<bool()>& done);

}  // namespace larmor::cuda
