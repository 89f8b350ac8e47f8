#pragma once
// The GPUs on which the kernels of a build run, and the kind of code to compile for a GPU at run
// time.

#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// Compute capability of a GPU.
struct GpuArchitecture {
  int major, minor;

  /// The number that compilers use: 90 for 9.0.
  int number() const { return 10 * major + minor; }
};

struct Device;
/// Compute capability of a GPU, which is not opened. @throws MachineError
GpuArchitecture architecture_of(const Device& gpu);

/// The architectures of this build, as in CMAKE_CUDA_ARCHITECTURES: "75-virtual;80-real;90". Empty
/// without CUDA.
std::string_view kernel_architectures();

/// Do kernels compiled for `list` run on a GPU of this compute capability? PTX runs on every later
/// GPU. Machine code runs on GPUs of an equal major version and an equal or later minor version.
/// Code of "90a" runs only on 9.0.
bool runs_on(std::string_view list, GpuArchitecture gpu);

/// Compute capabilities on which kernels compiled for `list` run: "7.5 and newer", "8.x and 9.x
/// only".
std::string capabilities_text(std::string_view list);

/// Why kernels compiled for `list` do not run on a GPU of this compute capability, and which build
/// has kernels that do.
std::string no_kernels_text(std::string_view list, GpuArchitecture gpu);

/// The kind of code that a compiler with the architectures `known` generates for a GPU. If the
/// compiler knows this GPU, the kind is machine code ("sm_90"). Otherwise it is PTX of the last
/// earlier architecture ("compute_90"), which drivers compile. Empty if no known architecture suits
/// this GPU.
std::string code_to_make(const std::vector<int>& known, GpuArchitecture gpu);

}  // namespace larmor
