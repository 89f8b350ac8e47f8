#include "larmor/core/device/gpu_waits.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#if defined(LARMOR_HAS_CUDA)
#include <cuda_runtime.h>

#include <deque>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/profile.hpp"
#endif

namespace larmor::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Checks need not be frequent, because the detection of a lost connection takes seconds.
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
    // This loop yields the processor to other threads and does not sleep. The waits of CUDA do
    // likewise.
    std::this_thread::yield();
    if (Clock::now() < next_check) continue;
    Watches::get().check();
    next_check = Clock::now() + between_checks;
  }
  Watches::get().check();
}

}  // namespace larmor::cuda

namespace larmor {

#if defined(LARMOR_HAS_CUDA)

class LaunchPace::Events {
 public:
  Events(int ordinal, int most) : ordinal_(ordinal), most_(most) {}
  ~Events() {
    for (cudaEvent_t event : waiting_) cudaEventDestroy(event);
    for (cudaEvent_t event : free_) cudaEventDestroy(event);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  void block_launched() {
    waiting_.push_back(acquire_event());
    cuda::check(cudaEventRecord(waiting_.back(), cuda::stream(ordinal_)), "watching a GPU");
    if (static_cast<int>(waiting_.size()) <= most_) return;
    const Region region("waiting for the GPU");
    while (static_cast<int>(waiting_.size()) > most_) {
      cuda::wait_for(waiting_.front(), "waiting for a GPU");
      free_.push_back(waiting_.front());
      waiting_.pop_front();
    }
  }

 private:
  cudaEvent_t acquire_event() {
    if (!free_.empty()) {
      const cudaEvent_t event = free_.front();
      free_.pop_front();
      return event;
    }
    cudaEvent_t event = nullptr;
    cuda::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "watching a GPU");
    return event;
  }

  int ordinal_;
  int most_;
  std::deque<cudaEvent_t> waiting_, free_;
};

LaunchPace::LaunchPace(const Device& device, int most) {
  if (device.backend == Backend::cuda) events_ = std::make_unique<Events>(device.ordinal, most);
}

void LaunchPace::block_launched() {
  if (events_) events_->block_launched();
}

#else

class LaunchPace::Events {};

LaunchPace::LaunchPace(const Device&, int) {}
void LaunchPace::block_launched() {}

#endif

LaunchPace::~LaunchPace() = default;

}  // namespace larmor
