#pragma once
// Texts of headers for kernels compiled at run time: those of Larmor that kernels need, put here
// when Larmor is built (cmake/LarmorJitHeaders.cmake), and stand-ins for the few of the C++ library
// that they name.

#include <span>

namespace larmor {

struct JitHeader {
  const char* name;  ///< as in #include
  const char* text;
};

std::span<const JitHeader> jit_headers();

}  // namespace larmor
