#include "larmor/core/shared_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "larmor/core/program_folder.hpp"

namespace larmor {

namespace fs = std::filesystem;

fs::path code_folder() {
  Dl_info info{};
  void* map = nullptr;
  const auto* const code = reinterpret_cast<const void*>(&code_folder);
  if (dladdr1(code, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return program_folder();
  // The loader gives the program itself no name.
  const std::string file = static_cast<const link_map*>(map)->l_name;
  if (file.empty()) return program_folder();
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return (error ? fs::path(file) : real).parent_path();
}

std::vector<fs::path> own_library_folders(const fs::path& code) {
  const fs::path prefix = code.parent_path();
  return {code, code / "_bin", prefix / "lib" / "larmor", prefix / "lib"};
}

std::vector<fs::path> cuda_folders(const fs::path& code) {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable))
      for (const char* lib : {"lib64", "lib"}) folders.push_back(fs::path(root) / lib);
  // The code lies in the package `larmor`, or in its folder `_bin`.
  for (const fs::path& packages : {code.parent_path(), code.parent_path().parent_path()}) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& part : fs::directory_iterator(packages / "nvidia", error))
      if (fs::is_directory(part.path() / "lib", error)) found.push_back(part.path() / "lib");
    std::ranges::sort(found);
    folders.insert(folders.end(), found.begin(), found.end());
  }
  folders.insert(folders.end(), {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
  return folders;
}

void* open_library(std::span<const std::string> names, std::span<const fs::path> folders) {
  for (const fs::path& folder : folders)
    for (const std::string& name : names) {
      std::error_code error;
      // The loader would take an empty name for the program itself.
      if (name.empty() || (!folder.empty() && !fs::exists(folder / name, error))) continue;
      if (void* library = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    }
  return nullptr;
}

}  // namespace larmor
