#include "larmor/core/gpu/cuda_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

/// Usual folders of CUDA, searched after the loader's path.
std::vector<std::string> folders() {
  std::vector<std::string> found;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable))
      for (const char* lib : {"/lib64", "/lib"}) found.push_back(std::string(root) + lib);
  found.insert(found.end(), {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
  return found;
}

void* opened(const std::string& called, std::initializer_list<const char*> names) {
  std::string looked = "the loader's path (LD_LIBRARY_PATH)";
  std::vector<std::string> prefixes{""};
  for (const std::string& folder : folders()) {
    looked += ", " + folder;
    prefixes.push_back(folder + "/");
  }
  for (const std::string& prefix : prefixes)
    for (const char* name : names)
      if (void* library = dlopen((prefix + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  std::string wanted;
  for (const char* name : names)
    wanted += (wanted.empty() ? "neither " : " nor ") + std::string(name);
  throw MachineError(called + " is missing: " + wanted + " is in " + looked + "; install CUDA's " +
                     called + ", or add its folder to LD_LIBRARY_PATH");
}

}  // namespace

CudaLibrary::CudaLibrary(std::string called, std::initializer_list<const char*> names)
    : called_(std::move(called)), library_(opened(called_, names)) {}

void* CudaLibrary::address_of(const char* name) const {
  void* address = dlsym(library_, name);
  if (address == nullptr)
    throw MachineError("the " + called_ + " on this machine lacks " + std::string(name));
  return address;
}

}  // namespace larmor::cuda
