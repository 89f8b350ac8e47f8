#pragma once
// Run-time compilation of kernels for one problem: NVIDIA's NVRTC compiles a text to machine code
// of a GPU. The text may include the kernel headers of Larmor. The library is loaded when needed
// (libnvrtc.so, from the paths of the dynamic linker or from LARMOR_NVRTC). Compiled code is kept
// on disk, so that each kernel is compiled once.

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/gpu_architecture.hpp"

namespace larmor {

/// Why the compiler is missing; no value if it is there.
std::optional<std::string> runtime_compiler_missing();

/// Why the compiler cannot be used for such a GPU; no value if it can.
std::optional<std::string> runtime_compiler_missing(GpuArchitecture gpu);

/// The kind of code for such a GPU: "sm_90", machine code, or "compute_90", PTX, if the compiler is
/// older than the GPU. @throws MachineError if there is no compiler for it
std::string runtime_code(GpuArchitecture gpu);

/// Code of a text for a GPU, a cubin or PTX, from the cache if it is there.
/// @throws MachineError if there is no compiler for it
/// @throws InternalError with the compiler's messages if the text does not compile
std::string compile_for_gpu(const std::string& text, GpuArchitecture gpu);

/// Folder of compiled kernels: $XDG_CACHE_HOME/larmor or ~/.cache/larmor; nothing if neither is
/// set.
std::optional<std::filesystem::path> kernel_cache_directory();

/// The content of the cache file with the result of `make` for `key`. A file that is missing,
/// damaged or of another key is written anew; if it cannot be written, nothing is cached. The
/// cached code will run. Therefore links are not read, nor files that somebody except the user and
/// root may have written. Such files stay unchanged.
/// @param directory no value for no cache; created if it is missing, only for the user
std::string cached(const std::optional<std::filesystem::path>& directory, const std::string& key,
                   const std::function<std::string()>& make);

/// The text of a header for kernels: one of Larmor's, embedded by the build
/// (cmake/LarmorJitHeaders.cmake), or a stand-in for a header of the C++ library.
struct JitHeader {
  const char* name;  ///< as in #include
  const char* text;
};

std::span<const JitHeader> jit_headers();

/// "always" or "never", from the environment or `use_jit_kernels`; empty if the model
/// decides. It is "never" if no compiler for this GPU is available.
/// @throws InputError for another value
std::string choice_of_jit_kernels(const Device& gpu);

/// Sets the choice, unless the environment does. @param choice "always", "never" or empty
void use_jit_kernels(const std::string& choice);

}  // namespace larmor
