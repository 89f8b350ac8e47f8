#include "larmor/core/device/launch_pace.hpp"

#if defined(LARMOR_HAS_CUDA)
#include <cuda_runtime.h>

#include <deque>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/profile.hpp"
#endif

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

  void portion_launched() {
    waiting_.push_back(take());
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
  cudaEvent_t take() {
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

void LaunchPace::portion_launched() {
  if (events_) events_->portion_launched();
}

#else

class LaunchPace::Events {};

LaunchPace::LaunchPace(const Device&, int) {}
void LaunchPace::portion_launched() {}

#endif

LaunchPace::~LaunchPace() = default;

}  // namespace larmor
