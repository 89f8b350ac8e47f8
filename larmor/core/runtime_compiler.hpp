#pragma once
// Kernels made for one problem while the program runs: NVIDIA's NVRTC turns a text, which may
// include the kernel headers of Larmor, into machine code of a GPU. The library is looked for when
// it is needed (libnvrtc.so, found as the dynamic linker finds things, or where LARMOR_NVRTC says);
// compiled code is kept on disk, so that a kernel is compiled once.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace larmor {

/// Compute capability of a GPU.
struct GpuArchitecture {
  int major, minor;
};

/// Why nothing can be compiled here, or nothing.
std::optional<std::string> runtime_compiler_missing();

/// Machine code (a cubin) of a text, from the cache where it is known.
/// @throws MachineError when there is no compiler
/// @throws InternalError with the compiler's messages when the text does not compile
std::string compile_for_gpu(const std::string& text, const GpuArchitecture& architecture);

/// Where compiled kernels are kept: $XDG_CACHE_HOME/larmor or ~/.cache/larmor; nothing where there
/// is neither.
std::optional<std::filesystem::path> kernel_cache_directory();

/// A file of the cache that holds what `make` gives for `key`. A file that is missing, damaged or
/// of another key is made anew; where nothing can be written, nothing is kept.
/// @param directory nothing: no cache
std::string cached(const std::optional<std::filesystem::path>& directory, const std::string& key,
                   const std::function<std::string()>& make);

}  // namespace larmor
