#pragma once
// What changes with time in a dynamics stage: fields and the temperature of the heat bath.

#include <vector>

#include "larmor/spins/integrators/llg_view.hpp"
#include "larmor/study/models/spins/stages/dynamics_table.hpp"

namespace larmor::study {

/// What is asked for at the edge of a pulse: the piece that ends there, or the one that begins.
enum class Side { before, after };

class DriveSchedule {
 public:
  /// @throws InputError for pulses and torques that lack what their shape or kind needs, or have
  ///         what it does not know, two torques of one kind;
  ///         schedules whose times do not rise, or beside a temperature
  DriveSchedule(const DynamicsTable& table, const ReadContext& context);

  /// Does anything change with time?
  bool constant() const;
  /// Is the heat bath ever on?
  bool heated() const;
  /// Sum of the pulses; at an edge what begins there. Inner units: T, or as the study writes them.
  Vec3<double> field(double time) const;
  /// Of the heat bath; constant before the first and after the last point of a schedule.
  double temperature(double time) const;
  /// One entry for each of `count` steps from `first` on, with k_B T in the noise factor. A step
  /// that ends at an edge, within a millionth of a step, has at its end the piece before the edge.
  std::vector<spins::StepDrive> steps(Index first, Index count) const;

 private:
  Vec3<double> field(double time, Side side) const;
  spins::Drive at(double time, Side side) const;

  DynamicsTable table_;
  ReadContext context_;
};

}  // namespace larmor::study
