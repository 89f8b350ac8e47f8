#pragma once
// Times of launches on a GPU, measured on the GPU; compiled only if CUDA is found.

#include <string>
#include <typeinfo>
#include <vector>

#include "larmor/core/device/profile.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

/// Measures the time of the launches on the GPU's stream in this scope. The row of the profile with
/// the name of this region adds up these times. The GPU records the time before and after the
/// launches, so kernels run one after the other. If the GPU waits for the host, a row includes some
/// microseconds per launch.
class LaunchRegion {
 public:
  LaunchRegion(int ordinal, const char* name) {
    if (profiling::watched) begin(ordinal, name, name);
  }
  /// @param functor its name appears without namespaces and template arguments
  LaunchRegion(int ordinal, const std::type_info& functor) {
    if (profiling::watched) begin(ordinal, &functor, name_of(functor));
  }
  /// @param kernel address of the loaded kernel `name`
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
  CUevent_st *begin_ = nullptr, *end_ = nullptr;  ///< null if not timed
};

/// Deletes the recorded times.
void clear_launch_times();
/// Waits for the GPUs. @return the sums by name, the longest first. The first launch of a kernel
/// loads the code of the kernel, so it counts with the mean time of the other launches
/// @throws MachineError if a GPU failed
std::vector<ProfileRow> collect_launch_times();

}  // namespace larmor::cuda
