#include "cli/shared/profile.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

#include "larmor/core/device/profile.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor::cli {
namespace {

void print_head(const char* what) {
  fmt::print("{:<44} {:>9} {:>11} {:>7} {:>12}\n", what, "calls", "seconds", "share", "mean us");
}

void print_row(const ProfileRow& row, double seconds) {
  fmt::print("{:<44} {:>9} {:>11.4f} {:>6.1f}% {:>12.2f}\n",
             std::string(static_cast<std::size_t>(2 * row.depth + 2), ' ') + row.name, row.calls,
             row.seconds, seconds > 0 ? 100 * row.seconds / seconds : 0.0,
             1e6 * row.seconds / static_cast<double>(row.calls));
}

void print_profile(const Profile& profile) {
  fmt::print("\nwhere the time went: {:.3f} s\n", profile.seconds);
  print_head("region, with regions inside it");
  for (const ProfileRow& row : profile.regions) print_row(row, profile.seconds);
  if (profile.launches.empty()) return;
  double busy = 0;
  for (const ProfileRow& row : profile.launches) busy += row.seconds;
  fmt::print("\non the GPU: {:.3f} s, {:.0f}% of the time\n", busy,
             profile.seconds > 0 ? 100 * busy / profile.seconds : 0.0);
  print_head("kernel");
  for (const ProfileRow& row : profile.launches) print_row(row, profile.seconds);
}

}  // namespace

void add_profile_option(CLI::App& app, bool& profiled) {
  app.add_flag("--profile", profiled,
               "print the time of each region and kernel at the end. Short kernels on GPUs become "
               "slower, because each kernel is launched and timed separately");
}

int run_profiled(bool profiled, const std::function<int()>& work) {
  if (!profiled) return work();
  start_profile();
  const int code = work();
  const Profile profile = end_profile();
  if (started_rank() == 0) print_profile(profile);
  return code;
}

}  // namespace larmor::cli
