#include "larmor/study/scan/scan_plan.hpp"

#include <fmt/core.h>

#include <numeric>

#include "larmor/core/progress.hpp"
#include "larmor/study/scan/scan_check.hpp"

namespace larmor::study {
namespace {

/// "stage.1.temperature (with stage.2.temperature): 5 values from 0.5 to 2.5"
std::string axis_words(const ScanAxis& axis) {
  std::string keys = axis.keys.front().key;
  for (std::size_t n = 1; n < axis.keys.size(); ++n)
    keys += (n == 1 ? " (with " : ", ") + axis.keys[n].key;
  if (axis.keys.size() > 1) keys += ")";
  const std::vector<Value>& values = axis.keys.front().values;
  return fmt::format("{}: {} value(s), {} to {}", keys, values.size(),
                     to_toml_value(values.front()), to_toml_value(values.back()));
}

}  // namespace

Plan plan_scan(const Scan& scan, const DeviceOverrides& overrides) {
  const ScanCheck check = check_scan(scan, overrides, nullptr);
  const std::vector<double>& work = check.work;
  Plan plan;
  for (const ScanAxis& axis : scan.axes())
    plan.lines.push_back((plan.lines.empty() ? "scan      " : "          ") + axis_words(axis));
  plan.lines.push_back(
      fmt::format("points    {}, each a study of its own on one rank; the first:", scan.points()));
  const Plan first = plan_study(scan.study(0), overrides);
  plan.advice = words_of(check.notes, scan);
  for (const std::string& line : first.lines) plan.lines.push_back("  " + line);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  const auto points = static_cast<double>(scan.points());
  plan.seconds = first.seconds * (work.front() > 0 ? all / work.front() : points);
  plan.lines.push_back("all       about " + format_duration(plan.seconds) +
                       " one after the other, by updates; ranks share them");
  return plan;
}

}  // namespace larmor::study
