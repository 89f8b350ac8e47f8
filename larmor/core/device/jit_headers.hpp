#pragma once
// Texts of headers for kernels compiled at run time. They are Larmor's headers that kernels need,
// embedded by the build (cmake/LarmorJitHeaders.cmake), and stand-ins for some headers of the C++
// library.

#include <span>

namespace larmor {

struct JitHeader {
  const char* name;  ///< as in #include
  const char* text;
};

std::span<const JitHeader> jit_headers();

}  // namespace larmor
