#pragma once
// What changes with time in a dynamics stage: fields and the temperature of the heat bath.

#include <vector>

#include "larmor/spins/integrators/llg_view.hpp"
#include "larmor/study/dynamics_tables.hpp"

namespace larmor::study {

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
  /// Sum of the pulses. Inner units: T, or as the study writes them.
  Vec3<double> field(double time) const;
  /// Of the heat bath; constant before the first and after the last point of a schedule.
  double temperature(double time) const;
  /// One entry for each of `count` steps from `first` on, with k_B T in the noise factor.
  std::vector<spins::StepDrive> steps(Index first, Index count) const;

 private:
  spins::Drive at(double time) const;

  DynamicsTable table_;
  ReadContext context_;
};

}  // namespace larmor::study
