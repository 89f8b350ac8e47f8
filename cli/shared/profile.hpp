#pragma once
// Time of a command by region and kernel.

#include <functional>

namespace larmor::cli {

/// Runs work() and prints the table of `--profile` if `profiled`. @return the result of work()
int watched(bool profiled, const std::function<int()>& work);

}  // namespace larmor::cli
