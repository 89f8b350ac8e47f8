#include "larmor/study/scan_check.hpp"

#include <map>
#include <optional>
#include <string>

#include "larmor/study/initial.hpp"
#include "larmor/study/memory_forecast.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

/// After all of its stages have been asked whether they can begin.
double work_of(const Study& study, SpinSystem& system) {
  const Ranks one(study.replicas);
  const Simulation simulation = simulation_of(study, system, one);
  double updates = 0;
  bool is_first = true;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(table, study.context);
    stage->require_beginning(simulation, is_first);
    is_first = false;
    updates += stage->work(study, system.geometry);
  }
  return updates;
}

/// Points of one lattice and Hamiltonian. @param work of each point, to be filled
void check_points(const Scan& scan, const std::vector<Index>& points,
                  const DeviceOverrides& overrides, std::vector<double>& work) {
  std::optional<Study> first;  // that the system refers to
  std::optional<SpinSystem> system;
  for (const Index point : points)
    of_point(scan, point, [&] {
      const Study study = scan.study(point);
      if (!system) {
        first = study;
        lattice::Geometry geometry = build_geometry(*first);
        require_memory(study, geometry, overrides, Ranks(study.replicas));
        const Device device = device_of(study, geometry, overrides);
        system.emplace(*first, device, std::move(geometry));
        set_initial_state(*first, *system);
      } else {
        require_memory(study, system->geometry, overrides, Ranks(study.replicas));
      }
      require_working_memory(study, *system);
      work[static_cast<std::size_t>(point)] = work_of(study, *system);
    });
}

std::string named(const Scan& scan, Index point, const std::string& what) {
  return scan.name(point) + ": " + what;
}

}  // namespace

std::vector<double> checked_work(const Scan& scan, const DeviceOverrides& device,
                                 const Communicator* world) {
  std::map<std::string, std::vector<Index>> points_of_system;
  for (Index point = 0; point < scan.points(); ++point)
    points_of_system[scan.system_text(point)].push_back(point);
  std::vector<double> work(static_cast<std::size_t>(scan.points()), 0.0);
  const int ranks = world == nullptr ? 1 : world->size();
  int next = 0;
  for (const auto& [text, points] : points_of_system)
    if (next++ % ranks == (world == nullptr ? 0 : world->rank()))
      check_points(scan, points, device, work);
  return work;
}

void of_point(const Scan& scan, Index point, const std::function<void()>& work) {
  if (!scan.is_scan()) return work();
  try {
    work();
  } catch (const InputError& error) {
    // One that has a place says it in the user's own lines.
    if (error.has_position()) throw;
    throw InputError(named(scan, point, error.problem()), error.remedy());
  } catch (const UnphysicalError& error) {
    throw UnphysicalError(named(scan, point, error.what()));
  } catch (const MachineError& error) {
    throw MachineError(named(scan, point, error.what()));
  }
}

}  // namespace larmor::study
