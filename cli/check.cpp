// larmor check: reads and validates a study and prints the plan, without running it.

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "larmor/study/scan/scan_check.hpp"

namespace larmor::cli {

int check(const std::string& file, const std::vector<std::string>& changes,
          const study::DeviceOverrides& device) {
  const study::Scan scan = study::Scan::read(file, changes);
  const study::Plan plan =
      scan.is_scan() ? study::plan_scan(scan, device) : study::plan_study(scan.study(0), device);
  for (const std::string& line : plan.lines) fmt::print("{}\n", line);
  for (const std::string& advice : plan.advice) fmt::print(stderr, "note: {}\n", advice);
  return 0;
}

}  // namespace larmor::cli
