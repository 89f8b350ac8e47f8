#pragma once
// `--profile`: time of a command by region and kernel.

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace larmor::cli {

void add_profile_option(CLI::App& app, bool& profiled);

/// Runs work() and prints the table if `profiled`. @return the result of work()
int run_profiled(bool profiled, const std::function<int()>& work);

}  // namespace larmor::cli
