// larmor check: reads and validates a study, prints what it would do, runs nothing.

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "larmor/study/run.hpp"

namespace larmor::cli {

int check(const std::string& file, const study::DeviceOverrides& device) {
  const study::Study study = study::read_study(file);
  for (const std::string& line : study::plan_study(study, device)) fmt::print("{}\n", line);
  return 0;
}

}  // namespace larmor::cli
