#include "larmor/core/device/jit_compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <vector>

#include "larmor/core/descriptor.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/fnv_hash.hpp"
#include "larmor/core/shared_libraries.hpp"

namespace larmor {
namespace {

/// The functions of NVRTC that this file uses (nvrtc.h). A result of 0 means success.
struct Nvrtc {
  using Program = void*;
  int (*version)(int*, int*) = nullptr;
  int (*architecture_count)(int*) = nullptr;
  int (*architectures)(int*) = nullptr;
  int (*create)(Program*, const char* text, const char* name, int headers,
                const char* const* header_text, const char* const* header_name) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int options, const char* const*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*ptx_size)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  const char* (*error_string)(int) = nullptr;
  std::string missing;  ///< why the library is missing; empty if it was found
};

Nvrtc load_nvrtc() {
  Nvrtc nvrtc;
  std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::filesystem::path> folders{""};
  if (const char* chosen = std::getenv("LARMOR_NVRTC")) {
    names = {chosen};
  } else {
    std::ranges::copy(cuda_folders(code_folder()), std::back_inserter(folders));
  }
  void* const library = open_library(names, folders);
  if (library == nullptr) {
    nvrtc.missing = "NVIDIA's runtime compiler is not found (" + names.front() +
                    "); install the CUDA toolkit, or set LARMOR_NVRTC to the file of this compiler";
    return nvrtc;
  }
  const auto find = [&](auto& function, const char* name) {
    void* const symbol = dlsym(library, name);
    if (symbol == nullptr) nvrtc.missing = std::string("the runtime compiler has no ") + name;
    std::memcpy(&function, &symbol, sizeof(symbol));
  };
  find(nvrtc.version, "nvrtcVersion");
  find(nvrtc.architecture_count, "nvrtcGetNumSupportedArchs");
  find(nvrtc.architectures, "nvrtcGetSupportedArchs");
  find(nvrtc.create, "nvrtcCreateProgram");
  find(nvrtc.destroy, "nvrtcDestroyProgram");
  find(nvrtc.compile, "nvrtcCompileProgram");
  find(nvrtc.code_size, "nvrtcGetCUBINSize");
  find(nvrtc.code, "nvrtcGetCUBIN");
  find(nvrtc.ptx_size, "nvrtcGetPTXSize");
  find(nvrtc.ptx, "nvrtcGetPTX");
  find(nvrtc.log_size, "nvrtcGetProgramLogSize");
  find(nvrtc.log, "nvrtcGetProgramLog");
  find(nvrtc.error_string, "nvrtcGetErrorString");
  return nvrtc;
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = load_nvrtc();
  return loaded;
}

/// Version of NVRTC, as "13.0".
std::string nvrtc_version() {
  int major = 0, minor = 0;
  nvrtc().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

/// Architectures that the compiler supports.
std::vector<int> known_architectures() {
  int count = 0;
  if (nvrtc().architecture_count(&count) != 0) return {};
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtc().architectures(known.data()) != 0) return {};
  return known;
}

/// @param ptx true for PTX, false for machine code
std::string compile(const std::string& text, const std::vector<std::string>& options, bool ptx) {
  const Region region("compiling kernels");
  const Nvrtc& n = nvrtc();
  std::vector<const char*> names, texts, arguments;
  for (const JitHeader& header : jit_headers()) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  for (const std::string& option : options) arguments.push_back(option.c_str());
  Nvrtc::Program program = nullptr;
  const auto check = [&](int result, const char* what) {
    if (result != 0)
      throw MachineError(std::string("the runtime compiler fails at ") + what + ": " +
                         n.error_string(result));
  };
  check(n.create(&program, text.c_str(), "kernel.cu", static_cast<int>(names.size()), texts.data(),
                 names.data()),
        "a program");
  const int result = n.compile(program, static_cast<int>(arguments.size()), arguments.data());
  std::size_t size = 0;
  if (result != 0) {
    std::string log;
    if (n.log_size(program, &size) == 0 && size > 0) {
      log.resize(size);
      n.log(program, log.data());
    }
    n.destroy(&program);
    throw InternalError(std::string("a kernel that is compiled at run time does not compile: ") +
                        n.error_string(result) + "\n" + log.substr(0, 4000));
  }
  check((ptx ? n.ptx_size : n.code_size)(program, &size), "the size of the code");
  std::string code(size, '\0');
  check((ptx ? n.ptx : n.code)(program, code.data()), "the code");
  n.destroy(&program);
  return code;
}

std::string in_hexadecimal(std::uint64_t number) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text.push_back(digits[(number >> shift) & 0xfu]);
  return text;
}

constexpr const char* cache_format = "larmor kernel 1\n";

/// Text of a cache file: format, hash of the content, key with its length, content.
std::string packed(const std::string& key, const std::string& content) {
  return cache_format + in_hexadecimal(fnv_hash(content)) + '\n' + std::to_string(key.size()) +
         '\n' + key + content;
}

std::optional<std::string> unpacked(const std::string& file, const std::string& key) {
  const std::string head = cache_format;
  const std::size_t hash_end = head.size() + 16;
  if (file.compare(0, head.size(), head) != 0 || file.size() <= hash_end) return std::nullopt;
  const std::string key_head = '\n' + std::to_string(key.size()) + '\n' + key;
  if (file.compare(hash_end, key_head.size(), key_head) != 0) return std::nullopt;
  std::string content = file.substr(hash_end + key_head.size());
  if (file.compare(head.size(), 16, in_hexadecimal(fnv_hash(content))) != 0) return std::nullopt;
  return content;
}

/// Can only the user and root have written this file or folder?
bool is_trusted(int descriptor, mode_t type) {
  struct stat found = {};
  return fstat(descriptor, &found) == 0 && (found.st_mode & S_IFMT) == type &&
         (found.st_uid == geteuid() || found.st_uid == 0) &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Creates missing folders with access only for the user.
void make_folders(const std::filesystem::path& directory) {
  if (directory.empty() || mkdir(directory.c_str(), 0700) == 0 || errno != ENOENT) return;
  if (directory.parent_path() == directory) return;
  make_folders(directory.parent_path());
  mkdir(directory.c_str(), 0700);
}

constexpr int opened_as_it_is = O_NOFOLLOW | O_CLOEXEC;

/// Text of a file; nothing if it is missing, owned by others, a link or not a plain file.
std::optional<std::string> read_trusted(const Descriptor& folder, const std::string& name) {
  // If a pipe has this name, opening must not block.
  const Descriptor file(openat(*folder, name.c_str(), O_RDONLY | O_NONBLOCK | opened_as_it_is));
  if (!file || !is_trusted(*file, S_IFREG)) return std::nullopt;
  std::string content;
  char block[1 << 16];
  for (;;) {
    const ssize_t count = read(*file, block, sizeof(block));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return content;
    content.append(block, static_cast<std::size_t>(count));
  }
}

bool write_all(int descriptor, const std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t count = write(descriptor, content.data() + done, content.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return true;
}

/// Does no file have this name, or only a plain file of the user?
bool is_free(const Descriptor& folder, const std::string& name) {
  struct stat found = {};
  if (fstatat(*folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
  return S_ISREG(found.st_mode) && found.st_uid == geteuid();
}

void keep(const Descriptor& folder, const std::string& name, const std::string& content) {
  if (!is_free(folder, name)) return;
  const std::string temporary = name + "." + std::to_string(getpid());
  constexpr int made_anew = O_WRONLY | O_CREAT | O_EXCL;
  int descriptor = openat(*folder, temporary.c_str(), made_anew | opened_as_it_is, 0600);
  if (descriptor < 0 && errno == EEXIST && is_free(folder, temporary)) {
    // An earlier process with this process number did not finish the file.
    unlinkat(*folder, temporary.c_str(), 0);
    descriptor = openat(*folder, temporary.c_str(), made_anew | opened_as_it_is, 0600);
  }
  const Descriptor file(descriptor);
  if (!file) return;
  if (!write_all(*file, content) ||
      renameat(*folder, temporary.c_str(), *folder, name.c_str()) != 0)
    unlinkat(*folder, temporary.c_str(), 0);
}

}  // namespace

std::optional<std::string> runtime_compiler_missing() {
  if (nvrtc().missing.empty()) return std::nullopt;
  return nvrtc().missing;
}

std::optional<std::string> runtime_compiler_missing(GpuArchitecture gpu) {
  if (const std::optional<std::string> missing = runtime_compiler_missing()) return missing;
  if (!code_to_make(known_architectures(), gpu).empty()) return std::nullopt;
  return "NVIDIA's runtime compiler " + nvrtc_version() + " does not support compute capability " +
         std::to_string(gpu.major) + "." + std::to_string(gpu.minor) +
         "; Larmor uses kernels that read tables instead";
}

std::string runtime_code(GpuArchitecture gpu) {
  if (const std::optional<std::string> missing = runtime_compiler_missing(gpu))
    throw MachineError(*missing);
  return code_to_make(known_architectures(), gpu);
}

std::optional<std::filesystem::path> kernel_cache_directory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "larmor";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::filesystem::path(home) / ".cache" / "larmor";
  return std::nullopt;
}

std::string cached(const std::optional<std::filesystem::path>& directory, const std::string& key,
                   const std::function<std::string()>& make) {
  if (!directory) return make();
  make_folders(*directory);
  const Descriptor folder(open(directory->c_str(), O_RDONLY | O_DIRECTORY | opened_as_it_is));
  if (!folder || !is_trusted(*folder, S_IFDIR)) return make();
  const std::string name = in_hexadecimal(fnv_hash(key)) + ".cubin";
  if (const std::optional<std::string> file = read_trusted(folder, name))
    if (std::optional<std::string> content = unpacked(*file, key)) return *content;
  std::string content = make();
  keep(folder, name, packed(key, content));
  return content;
}

std::string compile_for_gpu(const std::string& text, GpuArchitecture gpu) {
  static std::mutex guard;
  const std::lock_guard lock(guard);
  const std::string made = runtime_code(gpu);
  std::vector<std::string> options{"--gpu-architecture=" + made, "--std=c++20",
                                   "--device-as-default-execution-space",
                                   "--define-macro=LARMOR_AT_RUN_TIME"};
#if defined(LARMOR_STRICT)
  options.emplace_back("--fmad=false");
#endif
  std::string key = "nvrtc " + nvrtc_version() + "\n";
  for (const std::string& option : options) key += option + "\n";
  for (const JitHeader& header : jit_headers())
    key += header.name + (' ' + in_hexadecimal(fnv_hash(header.text))) + "\n";
  return cached(kernel_cache_directory(), key + text,
                [&] { return compile(text, options, made.starts_with("compute_")); });
}

namespace {

std::string& chosen() {
  static std::string choice;
  return choice;
}

}  // namespace

void use_jit_kernels(const std::string& choice) { chosen() = choice; }

std::string choice_of_jit_kernels(const Device& gpu) {
  for (const char* former : {"LARMOR_MADE_KERNELS", "LARMOR_SPECIALISED_KERNELS"})
    if (std::getenv(former) != nullptr)
      throw InputError(std::string(former) + " is set, which is the former name of LARMOR_JIT",
                       "set LARMOR_JIT instead");
  const char* setting = std::getenv("LARMOR_JIT");
  const std::string choice = setting == nullptr ? chosen() : setting;
  if (!choice.empty() && choice != "always" && choice != "never")
    throw InputError("LARMOR_JIT is \"" + choice + "\"",
                     "set LARMOR_JIT to \"always\" or \"never\"");
  return runtime_compiler_missing(architecture_of(gpu)) ? "never" : choice;
}

}  // namespace larmor
