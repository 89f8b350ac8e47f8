#pragma once
// Kernels made for one problem while the program runs: NVIDIA's NVRTC turns a text, which may
// include the kernel headers of Larmor, into machine code of a GPU. The library is looked for when
// it is needed (libnvrtc.so, found as the dynamic linker finds things, or where LARMOR_NVRTC says);
// compiled code is kept on disk, so that a kernel is compiled once.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "larmor/core/device/gpu_architecture.hpp"

namespace larmor {

/// Why nothing can be compiled here, or nothing.
std::optional<std::string> runtime_compiler_missing();

/// Why nothing can be compiled here for such a GPU, or nothing.
std::optional<std::string> runtime_compiler_missing(GpuArchitecture gpu);

/// What is made for such a GPU: "sm_90", machine code, or "compute_90", PTX, where the compiler is
/// older than the GPU. @throws MachineError when there is no compiler for it
std::string runtime_code(GpuArchitecture gpu);

/// Code of a text for a GPU, from the cache where it is known: a cubin, or PTX.
/// @throws MachineError when there is no compiler for it
/// @throws InternalError with the compiler's messages when the text does not compile
std::string compile_for_gpu(const std::string& text, GpuArchitecture gpu);

/// Where compiled kernels are kept: $XDG_CACHE_HOME/larmor or ~/.cache/larmor; nothing where there
/// is neither.
std::optional<std::filesystem::path> kernel_cache_directory();

/// A file of the cache that holds what `make` gives for `key`. A file that is missing, damaged or
/// of another key is made anew; where nothing can be written, nothing is kept. Code is run: what
/// others than the user and root can have written, or a link, is not read, and files of others stay
/// as they are.
/// @param directory nothing: no cache; made where it is missing, for the user alone
std::string cached(const std::optional<std::filesystem::path>& directory, const std::string& key,
                   const std::function<std::string()>& make);

}  // namespace larmor
