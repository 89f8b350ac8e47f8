#include "larmor/clusters/embedded_rows.hpp"

#include "larmor/core/device/device.hpp"
#include "larmor/core/lanes/kernels_in_sets.hpp"

namespace larmor::clusters {

LARMOR_KERNELS_IN_SETS(EmbeddedRowKernels, embedded_row_kernels_of_set)

const EmbeddedRowKernels& embedded_row_kernels() {
  static const EmbeddedRowKernels& here = embedded_row_kernels_of_set_in(cpu_instruction_set());
  return here;
}

}  // namespace larmor::clusters
