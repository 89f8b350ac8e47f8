#pragma once
// What methods of the ladders are made of.

#include <functional>

namespace larmor::bench {

/// What a method does first, second, ...: a kernel or a call of a library.
struct LadderPart {
  const char* name;
  std::function<void()> launch;
};

}  // namespace larmor::bench
