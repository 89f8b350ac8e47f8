#pragma once
// Where the time of a command went.

#include <functional>

namespace larmor::cli {

/// work(), and the table of `--profile` if that is asked for. @return what work() has returned
int watched(bool profiled, const std::function<int()>& work);

}  // namespace larmor::cli
