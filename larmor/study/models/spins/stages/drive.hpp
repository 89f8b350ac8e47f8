#pragma once
// Parameters of a dynamics stage that change with time: fields and the temperature of the heat
// bath.

#include <vector>

#include "larmor/spins/integrators/llg_view.hpp"
#include "larmor/study/models/spins/stages/dynamics_table.hpp"

namespace larmor::study {

/// The side of the edge of a pulse: the value before the edge, or the value after it.
enum class Side { before, after };

class DriveSchedule {
 public:
  /// @throws InputError for pulses and torques with missing keys for their shape or kind, or with
  /// keys of another shape or kind; for two torques of one kind; for schedules whose times do not
  /// rise, or that come together with a temperature
  DriveSchedule(const DynamicsTable& table, const ReadContext& context);

  /// Does anything change with time?
  bool constant() const;
  /// Is the heat bath ever on?
  bool heated() const;
  /// The field of all pulses together, in T or in reduced units. At an edge of a pulse the field
  /// has the value after the edge.
  Vec3<double> field(double time) const;
  /// Temperature of the heat bath; constant before the first and after the last point of a
  /// schedule.
  double temperature(double time) const;
  /// One entry for each of `count` steps from `first` on, with k_B T in the noise factor. A step
  /// that ends at an edge, within a millionth of a step, ends with the value before the edge.
  std::vector<spins::StepDrive> steps(Index first, Index count) const;

 private:
  Vec3<double> field(double time, Side side) const;
  spins::Drive at(double time, Side side) const;

  DynamicsTable table_;
  ReadContext context_;
};

}  // namespace larmor::study
