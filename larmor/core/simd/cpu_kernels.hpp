#pragma once
// Tables of kernels that are compiled once per instruction set (*.lanes.cpp). `cpu_instruction_set`
// (device.hpp) returns the set whose table is used. A header declares a table and its accessor with
// one of these macros in the namespace of its room. The .lanes.cpp file defines `<accessor>_table`
// in the namespace of the set.

#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/isa.hpp"

// LARMOR_CPU_KERNELS(Table, accessor): `const Table& accessor()`, the table for this processor. A
// build for one set has only the table of this set.
#if defined(LARMOR_ISA)
#define LARMOR_CPU_KERNELS(Table, accessor) \
  inline namespace LARMOR_ISA_NAMESPACE {   \
  extern const Table accessor##_table;      \
  }
#elif defined(LARMOR_ONLY_SET)
#define LARMOR_CPU_KERNELS(Table, accessor)                             \
  namespace LARMOR_CONCATENATE(isa_, LARMOR_ONLY_SET) {                 \
    extern const Table accessor##_table;                                \
  }                                                                     \
  inline const Table& accessor() {                                      \
    return LARMOR_CONCATENATE(isa_, LARMOR_ONLY_SET)::accessor##_table; \
  }
#else
#define LARMOR_CPU_KERNELS(Table, accessor)                                                \
  namespace isa_v2 {                                                                       \
  extern const Table accessor##_table;                                                     \
  }                                                                                        \
  namespace isa_v3 {                                                                       \
  extern const Table accessor##_table;                                                     \
  }                                                                                        \
  namespace isa_v4 {                                                                       \
  extern const Table accessor##_table;                                                     \
  }                                                                                        \
  inline const Table& accessor() {                                                         \
    static const Table& here = cpu_instruction_set() == "v4"   ? isa_v4::accessor##_table  \
                               : cpu_instruction_set() == "v3" ? isa_v3::accessor##_table  \
                                                               : isa_v2::accessor##_table; \
    return here;                                                                           \
  }
#endif

// LARMOR_DEVICE_KERNELS(Table, accessor): `const Table& accessor(const Device&)`, the table for the
// processor or for CUDA, whose .cu file includes the .lanes.cpp file.
#if defined(LARMOR_ISA)
#define LARMOR_DEVICE_KERNELS(Table, accessor) LARMOR_CPU_KERNELS(Table, accessor)
#elif defined(LARMOR_HAS_CUDA)
#define LARMOR_DEVICE_KERNELS(Table, accessor)                                        \
  inline namespace isa_cuda {                                                         \
  extern const Table accessor##_table;                                                \
  }                                                                                   \
  LARMOR_CPU_KERNELS(Table, accessor)                                                 \
  inline const Table& accessor(const Device& device) {                                \
    return device.backend == Backend::cuda ? isa_cuda::accessor##_table : accessor(); \
  }
#else
#define LARMOR_DEVICE_KERNELS(Table, accessor) \
  LARMOR_CPU_KERNELS(Table, accessor)          \
  inline const Table& accessor(const Device&) { return accessor(); }
#endif

namespace larmor {

/// Instruction sets with kernels in this program that this processor runs, the widest last.
std::vector<std::string> instruction_sets_here();

/// Makes hot loops use this set instead of the widest one, unless the environment names one. Call
/// it before a hot loop has run. If this build has no kernels for the set, nothing changes.
/// @throws MachineError if the processor lacks the set
void use_instruction_set(const std::string& set);

}  // namespace larmor
