#pragma once

#include <stdexcept>
#include <string>

namespace larmor::fuzzing {

inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("accepted, although ") + what);
}

}  // namespace larmor::fuzzing
