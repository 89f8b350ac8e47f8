#include "larmor/core/gpu/cufft_library.hpp"

#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_library.hpp"

namespace larmor::cuda {
namespace {

CufftLibrary load_cufft() {
  const CudaLibrary library("cuFFT", {"libcufft.so.12", "libcufft.so.11"});  // of CUDA 13 and 12
  CufftLibrary cufft;
  library.find("cufftCreate", cufft.create);
  library.find("cufftDestroy", cufft.destroy);
  library.find("cufftSetStream", cufft.set_stream);
  library.find("cufftSetAutoAllocation", cufft.set_auto_allocation);
  library.find("cufftSetWorkArea", cufft.set_work_area);
  library.find("cufftMakePlanMany64", cufft.make_plan);
  library.find("cufftExecR2C", cufft.real_to_complex);
  library.find("cufftExecC2R", cufft.complex_to_real);
  library.find("cufftExecD2Z", cufft.double_to_complex);
  library.find("cufftExecZ2D", cufft.complex_to_double);
  library.find("cufftExecZ2Z", cufft.wide_complex);
  return cufft;
}

}  // namespace

const CufftLibrary& cufft_library() {
  static const CufftLibrary library = load_cufft();
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
