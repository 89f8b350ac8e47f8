// larmor check: reads and validates a study and prints the plan, but does not run the study.

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/text.hpp"
#include "larmor/study/scan/scan_check.hpp"

namespace larmor::cli {
namespace {

struct Check final : Command {
  std::string file, folder;
  std::vector<std::string> changes;
  study::DeviceOverrides device;

  Check() : Command("check", "Read and validate a study; print the plan") {}

  void add_options(CLI::App& app) override {
    app.add_option("study", file, "study file")->required();
    add_set_option(app, changes);
    add_folder_option(app, folder);
    add_device_options(app, device, true);
  }

  int run() override {
    const study::Scan scan = study::Scan::read(file, changes, folder);
    const study::Plan plan =
        scan.is_scan() ? study::plan_scan(scan, device) : study::plan_study(scan.study(0), device);
    for (const std::string& line : plan.lines) fmt::print("{}\n", line);
    for (const std::string& note : scan.notes()) fmt::print(stderr, "note: {}\n", visible(note));
    for (const std::string& advice : plan.advice) fmt::print(stderr, "note: {}\n", advice);
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<Check>(); }

}  // namespace larmor::cli
