#include "larmor/core/cufft_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

/// Of CUDA 13 and 12.
constexpr const char* names[] = {"libcufft.so.12", "libcufft.so.11"};

/// Where CUDA is commonly found; the loader's own path comes before.
std::vector<std::string> folders() {
  std::vector<std::string> found;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable))
      for (const char* lib : {"/lib64", "/lib"}) found.push_back(std::string(root) + lib);
  found.insert(found.end(), {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
  return found;
}

void* open_library() {
  std::string looked = "the loader's path (LD_LIBRARY_PATH)";
  std::vector<std::string> prefixes{""};
  for (const std::string& folder : folders()) {
    looked += ", " + folder;
    prefixes.push_back(folder + "/");
  }
  for (const std::string& prefix : prefixes)
    for (const char* name : names)
      if (void* library = dlopen((prefix + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  throw MachineError("cuFFT is missing: neither " + std::string(names[0]) + " nor " + names[1] +
                     " is in " + looked +
                     "; install CUDA's cuFFT, or add its folder to LD_LIBRARY_PATH");
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw MachineError("the cuFFT of this machine lacks " + std::string(name));
}

CufftLibrary load() {
  void* library = open_library();
  CufftLibrary cufft;
  find(library, "cufftCreate", cufft.create);
  find(library, "cufftDestroy", cufft.destroy);
  find(library, "cufftSetStream", cufft.set_stream);
  find(library, "cufftSetAutoAllocation", cufft.set_auto_allocation);
  find(library, "cufftSetWorkArea", cufft.set_work_area);
  find(library, "cufftMakePlanMany64", cufft.make_plan);
  find(library, "cufftExecR2C", cufft.real_to_complex);
  find(library, "cufftExecC2R", cufft.complex_to_real);
  find(library, "cufftExecD2Z", cufft.double_to_complex);
  find(library, "cufftExecZ2D", cufft.complex_to_double);
  return cufft;
}

}  // namespace

const CufftLibrary& cufft_library() {
  static const CufftLibrary library = load();
  return library;
}

void check_cufft(int status, const char* what) {
  constexpr int no_memory = 2;
  if (status == 0) return;
  throw MachineError(std::string("cuFFT, ") + what +
                     (status == no_memory ? ": the GPU's memory is full; fewer replicas need less"
                                          : ": error " + std::to_string(status)));
}

}  // namespace larmor::cuda
