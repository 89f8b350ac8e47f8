#include "larmor/study/scan/scan_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "larmor/core/progress.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/trial.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

/// The cost of a point.
struct PointCost {
  double updates = 0;
  std::string engines;  ///< methods of its stages, and their devices
};

/// The cost, after all stages have been checked.
PointCost cost_of(const Study& study, System& system) {
  const Ranks one(study.replicas);
  const Simulation simulation{study, system, one};
  PointCost cost{0, device_text(system.device)};
  require_samples(simulation);
  bool is_first = true;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(study, table);
    stage->require_beginning(simulation, is_first);
    is_first = false;
    cost.updates += stage->work(study, system.size());
    cost.engines += "; " + stage->engine(simulation);
  }
  return cost;
}

void add(std::vector<ScanNote>& notes, const ScanNote& note) {
  const auto same = std::find_if(notes.begin(), notes.end(),
                                 [&](const ScanNote& n) { return n.words == note.words; });
  if (same == notes.end()) {
    notes.push_back(note);
    return;
  }
  same->first = std::min(same->first, note.first);
  same->points += note.points;
}

void sort(std::vector<ScanNote>& notes) {
  std::stable_sort(notes.begin(), notes.end(),
                   [](const ScanNote& a, const ScanNote& b) { return a.first < b.first; });
}

/// Checks points with one lattice and Hamiltonian. @param check receives the results
void check_points(const Scan& scan, const std::vector<Index>& points,
                  const DeviceOverrides& overrides, ScanCheck& check) {
  std::optional<Study> first;  // the study to which the system refers
  std::unique_ptr<Blueprint> blueprint;
  std::unique_ptr<System> system;
  for (const Index point : points)
    of_point(scan, point, [&] {
      const Study study = scan.study(point);
      const Ranks one(study.replicas);
      if (!blueprint) {
        first = study;
        blueprint = first->tables->blueprint();
      }
      const Device device = device_of(study, blueprint->size(), overrides);
      const MemoryForecast forecast =
          require_memory(study, *blueprint, device, overrides.ranks_on_node, one);
      if (!system) system = preview_system(*first, *blueprint, device);
      require_working_memory(study, *system, forecast);
      PointCost cost = cost_of(study, *system);
      check.work[static_cast<std::size_t>(point)] = cost.updates;
      check.engines[static_cast<std::size_t>(point)] = std::move(cost.engines);
    });
  for (const std::string& words : system->advice())
    add(check.notes, {words, points.front(), static_cast<Index>(points.size())});
}

std::string named(const Scan& scan, Index point, const std::string& problem) {
  return scan.name(point) + ": " + problem;
}

}  // namespace

ScanCheck check_scan(const Scan& scan, const DeviceOverrides& device, const Communicator* world) {
  std::map<std::string, std::vector<Index>> points_of_system;
  for (Index point = 0; point < scan.points(); ++point)
    points_of_system[scan.system_text(point)].push_back(point);
  ScanCheck check;
  check.work.resize(static_cast<std::size_t>(scan.points()), 0.0);
  check.engines.resize(check.work.size());
  const int ranks = world == nullptr ? 1 : world->size();
  int next = 0;
  for (const auto& [text, points] : points_of_system)
    if (next++ % ranks == (world == nullptr ? 0 : world->rank()))
      check_points(scan, points, device, check);
  sort(check.notes);
  return check;
}

void join(ScanCheck& check, const Communicator& world) {
  world.sum(check.work.data(), check.work.size());
  // A message between ranks consists of numbers.
  std::vector<double> packed;
  for (const ScanNote& note : check.notes) {
    packed.insert(packed.end(), {static_cast<double>(note.first), static_cast<double>(note.points),
                                 static_cast<double>(note.words.size())});
    for (const char letter : note.words)
      packed.push_back(static_cast<double>(static_cast<unsigned char>(letter)));
  }
  check.notes.clear();
  for (const std::vector<double>& of_rank : world.gather(packed))
    for (auto next = of_rank.begin(); next != of_rank.end();) {
      ScanNote note;
      note.first = static_cast<Index>(*next++);
      note.points = static_cast<Index>(*next++);
      for (auto letters = static_cast<Index>(*next++); letters > 0; --letters)
        note.words.push_back(static_cast<char>(static_cast<unsigned char>(*next++)));
      add(check.notes, note);
    }
  sort(check.notes);
}

std::vector<std::string> text_of(const std::vector<ScanNote>& notes, const Scan& scan) {
  std::vector<std::string> words;
  for (const ScanNote& note : notes) {
    std::string points;
    if (note.points < scan.points()) {
      points = scan.name(note.first);
      if (note.points > 1) points += " and " + std::to_string(note.points - 1) + " more";
      points += ": ";
    }
    words.push_back(points + note.words);
  }
  return words;
}

void of_point(const Scan& scan, Index point, const std::function<void()>& work) {
  if (!scan.is_scan()) return work();
  try {
    work();
  } catch (const InputError& error) {
    // An error with a position already points at the user's own lines.
    if (error.has_position()) throw;
    throw InputError(named(scan, point, error.problem()), error.remedy());
  } catch (const UnphysicalError& error) {
    throw UnphysicalError(named(scan, point, error.what()));
  } catch (const MachineError& error) {
    throw MachineError(named(scan, point, error.what()));
  }
}

namespace {

/// "stage.1.temperature (with stage.2.temperature): 5 values from 0.5 to 2.5"
std::string axis_text(const ScanAxis& axis) {
  std::string keys = axis.keys.front().key;
  for (std::size_t n = 1; n < axis.keys.size(); ++n)
    keys += (n == 1 ? " (with " : ", ") + axis.keys[n].key;
  if (axis.keys.size() > 1) keys += ")";
  const std::vector<Value>& values = axis.keys.front().values;
  return fmt::format("{}: {} value(s), {} to {}", keys, values.size(),
                     to_toml_value(values.front()), to_toml_value(values.back()));
}

/// Adds the seconds of all points, one after the other, to a plan. The first point of each engine
/// is tried out. Its speed and the numbers of updates give the seconds of all other points with
/// this engine.
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
    plan.lines.push_back((plan.lines.empty() ? "scan      " : "          ") + axis_text(axis));
  plan.lines.push_back(
      fmt::format("points    {}, each is a separate study on one rank; the first:", scan.points()));
  const Plan first = plan_study(scan.study(0), overrides);
  plan.advice = text_of(check.notes, scan);
  for (const std::string& line : first.lines) plan.lines.push_back("  " + line);
  add_seconds(plan, scan, check, first, overrides);
  plan.lines.push_back(
      "all       " + plan.time_text() + (plan.most_to_converge > 0 ? ";" : "") +
      " if one rank runs all points, estimated from their updates; several ranks share the points");
  return plan;
}

}  // namespace larmor::study
