#pragma once
// The time of what is launched on a GPU, measured there; compiled only where CUDA is found.

#include <string>
#include <typeinfo>
#include <vector>

#include "larmor/core/device/profile.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

/// What is launched on the GPU's stream in this scope, in one row of the profile by its name. The
/// GPU notes the time before and after it. While a profile is recorded kernels therefore run one
/// after the other, and each row holds some microseconds a launch where the GPU waits for the host.
class LaunchRegion {
 public:
  LaunchRegion(int ordinal, const char* name) {
    if (profiling::watched) begin(ordinal, name, name);
  }
  /// @param functor named as people name it: without namespaces and template arguments
  LaunchRegion(int ordinal, const std::type_info& functor) {
    if (profiling::watched) begin(ordinal, &functor, name_of(functor));
  }
  /// @param kernel what `name` is loaded as
  LaunchRegion(int ordinal, const void* kernel, const std::string& name) {
    if (profiling::watched) begin(ordinal, kernel, name);
  }
  ~LaunchRegion() {
    if (open_) end();
  }
  LaunchRegion(const LaunchRegion&) = delete;
  LaunchRegion& operator=(const LaunchRegion&) = delete;

 private:
  static const std::string& name_of(const std::type_info& functor);
  void begin(int ordinal, const void* kernel, const std::string& name);
  void end() noexcept;

  bool open_ = false, range_ = false;
  int ordinal_ = 0;
  CUstream_st* stream_ = nullptr;
  std::size_t row_ = 0;
  CUevent_st *begin_ = nullptr, *end_ = nullptr;  ///< null: not timed
};

/// Forgets what was timed.
void drop_launch_times();
/// Waits for the GPUs. @return the sums by name, the longest first; a kernel's first launch, which
/// loads it, counts as the mean of the others
/// @throws MachineError when a GPU failed
std::vector<ProfileRow> take_launch_times();

}  // namespace larmor::cuda
