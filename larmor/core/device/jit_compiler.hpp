#pragma once
// Run-time compilation of kernels for one problem: NVIDIA's NVRTC compiles a text to machine code
// of a GPU. The text may include the kernel headers of Larmor. NVRTC (libnvrtc.so) is loaded when
// it is first needed, from the paths of the dynamic linker or from LARMOR_NVRTC. Compiled code is
// kept on disk, so that each kernel is compiled once.

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/gpu_architecture.hpp"

namespace larmor {

/// Why NVRTC is missing; no value if it was found.
std::optional<std::string> runtime_compiler_missing();

/// Why NVRTC cannot be used for a GPU of this compute capability; no value if it can.
std::optional<std::string> runtime_compiler_missing(GpuArchitecture gpu);

/// The kind of code for a GPU of this compute capability: machine code, as "sm_90". If NVRTC is
/// older than the GPU, the code is PTX, as "compute_90".
/// @throws MachineError if there is no compiler for the GPU
std::string runtime_code(GpuArchitecture gpu);

/// Compiles a text for a GPU to a cubin or PTX, or takes the result from the cache.
/// @throws MachineError if there is no compiler for the GPU
/// @throws InternalError with the compiler's messages if the text does not compile
std::string compile_for_gpu(const std::string& text, GpuArchitecture gpu);

/// Folder of compiled kernels: $XDG_CACHE_HOME/larmor or ~/.cache/larmor; no value if neither
/// variable is set.
std::optional<std::filesystem::path> kernel_cache_directory();

/// The result of `make` for `key`, from a cache file if there is one. A file that is missing,
/// damaged or of another key is written anew. If the file cannot be written, nothing is cached.
/// Cached code will run. Therefore the cache reads no links, and no files that somebody except the
/// user and root may have written. Such files stay unchanged.
/// @param directory folder of the cache, which is made if it is missing, with access only for the
/// user; no value: there is no cache
std::string cached(const std::optional<std::filesystem::path>& directory, const std::string& key,
                   const std::function<std::string()>& make);

/// The text of a header for kernels: one of Larmor's, embedded by the build
/// (cmake/LarmorJitHeaders.cmake), or a stand-in for a header of the C++ library.
struct JitHeader {
  const char* name;  ///< as in #include
  const char* text;
};

std::span<const JitHeader> jit_headers();

/// "always" or "never", from LARMOR_JIT or, if LARMOR_JIT is not set, from `use_jit_kernels`. Empty
/// if the model decides. "never" if no compiler for this GPU is available.
/// @throws InputError for another value, or if a former name of LARMOR_JIT is set
std::string choice_of_jit_kernels(const Device& gpu);

/// Sets the choice, which LARMOR_JIT overrides. @param choice "always", "never" or empty
void use_jit_kernels(const std::string& choice);

}  // namespace larmor
