// larmor verify: compares measured results with exact ones.

#include "larmor/study/run/verify.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/shared/options.hpp"

namespace larmor::cli {
namespace {

struct Verify final : Command {
  bool quick = false;
  study::DeviceOverrides device;

  Verify()
      : Command("verify", "Compare measured with exact results, in standard errors",
                "The default is the CPU in double precision.\n"
                "Examples:\n  larmor verify --quick\n  larmor verify --backend cuda --precision "
                "mixed\n") {}

  void add_options(CLI::App& app) override {
    app.add_flag("--quick", quick, "fewer samples");
    add_device_options(app, device, false);
  }

  int run() override {
    const Device whole_device = study::whole_device_of(device);
    fmt::print("on {}\n", study::device_text(whole_device));
    fmt::print("{:<66} {:>12} {:>12} {:>10} {:>8}\n", "", "exact", "measured", "error", "sigmas");
    const auto report = [](const study::Comparison& c) {
      fmt::print("{:<66} {:>12.7f} {:>12.7f} {:>10.1e} {:>8} {}\n", c.name, c.exact, c.measured,
                 c.error, c.statistical ? fmt::format("{:+.2f}", c.deviation()) : "",
                 c.passed() ? "ok" : "WRONG");
    };
    const auto all = study::verify(whole_device, quick ? 1000 : 10000, report);
    const auto wrong =
        std::count_if(all.begin(), all.end(), [](const auto& c) { return !c.passed(); });
    fmt::print("{} of {} agree\n", all.size() - static_cast<std::size_t>(wrong), all.size());
    return wrong == 0 ? 0 : 70;
  }
};

}  // namespace

std::unique_ptr<Command> make_verify() { return std::make_unique<Verify>(); }

}  // namespace larmor::cli
