#pragma once
// Texts of headers for kernels compiled at run time: those of Larmor that kernels need, put here
// when Larmor is built (cmake/LarmorEmbedded.cmake), and stand-ins for the few of the C++ library
// that they name.

#include <span>

namespace larmor {

struct EmbeddedHeader {
  const char* name;  ///< as in #include
  const char* text;
};

std::span<const EmbeddedHeader> embedded_headers();

}  // namespace larmor
