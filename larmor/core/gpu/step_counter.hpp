#pragma once
// The step of the first of some launches, in GPU memory, so that what was launched once may be
// launched again for other steps. Compiled only where CUDA is found.

#include <cstdint>

#include "larmor/core/device/array.hpp"

namespace larmor::cuda {

class StepCounter {
 public:
  explicit StepCounter(const Device& device) : device_(device), on_gpu_(device, 1) {}

  /// What kernels add their own step to.
  const std::uint64_t* first() const { return on_gpu_.data(); }
  /// Sets the step, behind everything launched before, unless it is there already.
  void set(std::uint64_t step);
  /// Launches, or records, that it advances. Whatever is launched next reads it before it waits for
  /// its predecessor, so may not start early.
  void launch_advance(std::uint64_t by);
  /// Launches that advance it by so much were repeated.
  void has_advanced(std::uint64_t by) { expected_ += by; }

 private:
  Device device_;
  Array<std::uint64_t> on_gpu_;
  std::uint64_t expected_ = 0;  ///< what is there behind all that is launched
};

}  // namespace larmor::cuda
