#pragma once
// Parts of the methods of the ladders.

#include <functional>

namespace larmor::bench {

/// One step of a method: a kernel or a call of a library.
struct LadderPart {
  const char* name;
  std::function<void()> launch;
};

}  // namespace larmor::bench
