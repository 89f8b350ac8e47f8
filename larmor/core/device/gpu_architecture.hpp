#pragma once
// Which GPUs the kernels of a build run on, and what code to make for a GPU at run time.

#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// Compute capability of a GPU.
struct GpuArchitecture {
  int major, minor;

  /// As compilers write it: 90 of 9.0.
  int number() const { return 10 * major + minor; }
};

struct Device;
/// Of a GPU, which is not entered. @throws MachineError
GpuArchitecture architecture_of(const Device& gpu);

/// What this build was compiled for, as CMAKE_CUDA_ARCHITECTURES names it: "75-virtual;80-real;90".
/// Empty without CUDA.
std::string_view kernel_architectures();

/// Do kernels compiled for `list` run on such a GPU? PTX runs on every later one. Machine code runs
/// on GPUs of the same major number and no smaller minor one, that of "90a" on 9.0 alone.
bool runs_on(std::string_view list, GpuArchitecture gpu);

/// Compute capabilities that kernels compiled for `list` run on: "7.5 and newer", "8.x and 9.x
/// only".
std::string capabilities_text(std::string_view list);

/// Why kernels compiled for `list` do not run on such a GPU, and what does.
std::string no_kernels_text(std::string_view list, GpuArchitecture gpu);

/// What a compiler that knows the architectures `known` makes for a GPU: machine code ("sm_90") if
/// it knows this one, else PTX of the last one before it ("compute_90"), which drivers compile.
/// Empty: it knows none that such a GPU understands.
std::string code_to_make(const std::vector<int>& known, GpuArchitecture gpu);

}  // namespace larmor
