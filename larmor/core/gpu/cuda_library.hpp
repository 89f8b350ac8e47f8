#pragma once
// Libraries of CUDA or added to it, loaded when first needed. So a build with CUDA also starts if
// they are missing.

#include <initializer_list>
#include <string>

namespace larmor::cuda {

class CudaLibrary {
 public:
  /// @param called name for users, as "cuFFT" @param names file names, the newest CUDA's first
  /// @throws MachineError that lists the searched places
  CudaLibrary(std::string called, std::initializer_list<const char*> names);

  /// @throws MachineError if the library has no such function
  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  std::string called_;
  void* library_;
};

}  // namespace larmor::cuda
