#include "larmor/spins/landscape/landscape_kernels.hpp"

#include <string>

namespace larmor::spins {

#if defined(LARMOR_HAS_CUDA)
namespace isa_cuda {
extern const LandscapeKernels landscape_kernels_of_set;
}
#endif

#if !defined(LARMOR_ONE_INSTRUCTION_SET)

namespace isa_v2 {
extern const LandscapeKernels landscape_kernels_of_set;
}
namespace isa_v3 {
extern const LandscapeKernels landscape_kernels_of_set;
}
namespace isa_v4 {
extern const LandscapeKernels landscape_kernels_of_set;
}

namespace {

const LandscapeKernels& cpu_kernels() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::landscape_kernels_of_set;
  if (isa == "v3") return isa_v3::landscape_kernels_of_set;
  return isa_v2::landscape_kernels_of_set;
}

}  // namespace

#else

namespace isa_generic {
extern const LandscapeKernels landscape_kernels_of_set;
}
namespace {

const LandscapeKernels& cpu_kernels() { return isa_generic::landscape_kernels_of_set; }

}  // namespace

#endif

const LandscapeKernels& landscape_kernels([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return isa_cuda::landscape_kernels_of_set;
#endif
  return cpu_kernels();
}

}  // namespace larmor::spins
