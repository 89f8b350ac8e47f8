#include "larmor/spins/samplers/kernels.hpp"

#include <string>

namespace larmor::spins {

#if defined(LARMOR_HAS_CUDA)
namespace isa_cuda {
extern const SpinKernels kernels;
}
#endif

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const SpinKernels kernels;
}
namespace isa_v3 {
extern const SpinKernels kernels;
}
namespace isa_v4 {
extern const SpinKernels kernels;
}

namespace {

const SpinKernels& cpu_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::kernels;
  if (isa == "v3") return isa_v3::kernels;
  return isa_v2::kernels;
}

}  // namespace

#else

namespace isa_generic {
extern const SpinKernels kernels;
}
namespace {

const SpinKernels& cpu_kernels() { return isa_generic::kernels; }

}  // namespace

#endif

const SpinKernels& spin_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::kernels;
#endif
  return cpu_kernels();
}

}  // namespace larmor::spins
