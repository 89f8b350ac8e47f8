#include "larmor/study/models/atoms/system/atom_configurations.hpp"

#include <algorithm>

namespace larmor::study {
namespace {

struct AtomArrays {
  io::DataArray positions, velocities, boxes;
};

AtomArrays arrays_of(const Simulation& simulation, Index count) {
  const AtomSystem& system = atom_system(simulation);
  AtomNumbers numbers = system.joined_numbers(count, simulation.ranks);
  const Index here = static_cast<Index>(numbers.boxes.size()) / 9;
  return {system.array_of_atoms(std::move(numbers.positions)),
          system.array_of_atoms(std::move(numbers.velocities)),
          {std::move(numbers.boxes), {here, 3, 3}}};
}

}  // namespace

void append_atom_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                            const TrajectoryTime& when) {
  AtomArrays arrays = arrays_of(simulation, std::min(count, simulation.study.replicas));
  results.append("trajectory/value", std::move(arrays.positions));
  results.append("trajectory/velocities", std::move(arrays.velocities));
  results.append("trajectory/box", std::move(arrays.boxes));
  results.append("trajectory/step", {static_cast<double>(when.step)}, {}, "");
  results.append("trajectory/time", {when.time}, {}, when.unit);
}

void write_atom_configurations(const Simulation& simulation, Index count, ResultsGroup& results) {
  const Index kept = std::min(count, simulation.study.replicas);
  if (kept == 0) return;
  AtomArrays arrays = arrays_of(simulation, kept);
  results.write("configuration", std::move(arrays.positions));
  results.write("velocities", std::move(arrays.velocities));
  results.write("box", std::move(arrays.boxes));
}

double atom_configuration_bytes(const Sizing& sizing, Index count) {
  return 2 * trajectory_bytes(sizing, count);
}

}  // namespace larmor::study
