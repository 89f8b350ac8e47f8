#pragma once
// The step of the first of some launches, in GPU memory, so that a launch graph can be repeated for
// other steps. Compiled only if CUDA is found.

#include <cstdint>

#include "larmor/core/device/array.hpp"

namespace larmor::cuda {

class StepCounter {
 public:
  explicit StepCounter(const Device& device) : device_(device), on_gpu_(device, 1) {}

  /// The number to which kernels add their own step.
  const std::uint64_t* first() const { return on_gpu_.data(); }
  /// Sets the step, after all earlier launches, unless it has this value already.
  void set(std::uint64_t step);
  /// Launches, or records, an advance of the step. The next kernel must not start early, because it
  /// reads the step before it waits for its predecessor.
  void launch_advance(std::uint64_t by);
  /// Call it after repeating launches that advance the step by so much.
  void has_advanced(std::uint64_t by) { expected_ += by; }

 private:
  Device device_;
  Array<std::uint64_t> on_gpu_;
  std::uint64_t expected_ = 0;  ///< the step after all launches
};

}  // namespace larmor::cuda
