#include "larmor/study/scan/scan_plan.hpp"

#include <fmt/core.h>

#include <map>

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

/// Adds the seconds of all points, one after the other, to a plan. The first point of each engine
/// is tried out, and its speed serves for the others by their updates.
/// @param first the plan of point 0
void add_seconds(Plan& plan, const Scan& scan, const ScanCheck& check, const Plan& first,
                 const DeviceOverrides& overrides) {
  struct Tried {
    double seconds, most_to_converge, work;
  };
  std::map<std::string, Tried> tried;
  for (std::size_t point = 0; point < check.work.size(); ++point) {
    const double work = check.work[point];
    const auto [found, is_new] = tried.try_emplace(check.engines[point]);
    if (is_new) {
      const Plan own =
          point == 0 ? first : plan_study(scan.study(static_cast<Index>(point)), overrides);
      found->second = {own.seconds, own.most_to_converge, work};
    }
    const Tried& like = found->second;
    const double share = like.work > 0 ? work / like.work : 1;
    plan.seconds += like.seconds * share;
    plan.most_to_converge += like.most_to_converge * share;
  }
}

}  // namespace

Plan plan_scan(const Scan& scan, const DeviceOverrides& overrides) {
  const ScanCheck check = check_scan(scan, overrides, nullptr);
  Plan plan;
  for (const ScanAxis& axis : scan.axes())
    plan.lines.push_back((plan.lines.empty() ? "scan      " : "          ") + axis_words(axis));
  plan.lines.push_back(
      fmt::format("points    {}, each a study of its own on one rank; the first:", scan.points()));
  const Plan first = plan_study(scan.study(0), overrides);
  plan.advice = words_of(check.notes, scan);
  for (const std::string& line : first.lines) plan.lines.push_back("  " + line);
  add_seconds(plan, scan, check, first, overrides);
  plan.lines.push_back("all       " + plan.time_words() + (plan.most_to_converge > 0 ? ";" : "") +
                       " one after the other, by updates; ranks share them");
  return plan;
}

}  // namespace larmor::study
