#include "larmor/core/device/watched_wait.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace larmor::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Watches need not be frequent: detecting a lost connection takes seconds anyway.
constexpr std::chrono::milliseconds between_checks{10};

struct Watches {
  std::mutex guard;
  std::vector<std::pair<const WaitWatch*, std::function<void()>>> all;

  static Watches& get() {
    static Watches watches;
    return watches;
  }
  void check() {
    std::vector<std::function<void()>> checks;
    {
      const std::lock_guard lock(guard);
      for (const auto& watch : all) checks.push_back(watch.second);
    }
    for (const auto& each : checks) each();
  }
};

}  // namespace

WaitWatch::WaitWatch(std::function<void()> check) {
  const std::lock_guard lock(Watches::get().guard);
  Watches::get().all.emplace_back(this, std::move(check));
}

WaitWatch::~WaitWatch() {
  const std::lock_guard lock(Watches::get().guard);
  std::erase_if(Watches::get().all, [this](const auto& watch) { return watch.first == this; });
}

bool waits_are_watched() {
  const std::lock_guard lock(Watches::get().guard);
  return !Watches::get().all.empty();
}

void wait_watched(const std::function<bool()>& done) {
  auto next_check = Clock::now() + between_checks;
  while (!done()) {
    // Like the waits of CUDA, this yields the processor to others and does not sleep.
    std::this_thread::yield();
    if (Clock::now() < next_check) continue;
    Watches::get().check();
    next_check = Clock::now() + between_checks;
  }
  Watches::get().check();
}

}  // namespace larmor::cuda
