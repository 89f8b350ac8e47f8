#pragma once
// Kernels that are compiled once per instruction set (*.lanes.cpp), by the name of the set.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/isa.hpp"

/// For use in a namespace: declares `name`, of type `Kernels`, for every set of this build, and
/// defines `name_in(set)`. @param set "v4", "v3" or "v2"; a build with one set uses that one
#if defined(LARMOR_ONLY_SET)
#define LARMOR_KERNELS_IN_SETS(Kernels, name)               \
  namespace LARMOR_CONCATENATE(isa_, LARMOR_ONLY_SET) {     \
    extern const Kernels name;                              \
  }                                                         \
  static const Kernels& name##_in(const std::string&) {     \
    return LARMOR_CONCATENATE(isa_, LARMOR_ONLY_SET)::name; \
  }
#else
#define LARMOR_KERNELS_IN_SETS(Kernels, name)               \
  namespace isa_v2 {                                        \
  extern const Kernels name;                                \
  }                                                         \
  namespace isa_v3 {                                        \
  extern const Kernels name;                                \
  }                                                         \
  namespace isa_v4 {                                        \
  extern const Kernels name;                                \
  }                                                         \
  static const Kernels& name##_in(const std::string& set) { \
    if (set == "v4") return isa_v4::name;                   \
    return set == "v3" ? isa_v3::name : isa_v2::name;       \
  }
#endif
