#pragma once
// Libraries that come with CUDA or lie beside it, opened when they are first needed: a build with
// CUDA also starts where they are not.

#include <initializer_list>
#include <string>

namespace larmor::cuda {

class CudaLibrary {
 public:
  /// @param called by people, as "cuFFT" @param names of its file, the newest CUDA's first
  /// @throws MachineError saying where it was looked for
  CudaLibrary(std::string called, std::initializer_list<const char*> names);

  /// @throws MachineError when the library has no such function
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
