#pragma once
// The table of a dynamics stage.

#include "larmor/study/models/spins/tables/drive_tables.hpp"

namespace larmor::study {

struct DynamicsTable {
  static constexpr const char* name = "dynamics";
  static constexpr const char* doc =
      "integrate the Landau-Lifshitz-Gilbert equation, with a heat bath or without";
  std::string kind = name;
  std::string integrator = "auto";
  double timestep = 0;
  Index steps = 0;
  std::vector<double> damping{0};
  double temperature = 0;
  std::vector<TemperaturePoint> temperature_schedule;
  std::vector<PulseTable> pulse;
  std::vector<TorqueTable> torque;
  std::vector<Value> measure;  ///< entries, in the form that `read_measure` takes
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<DynamicsTable> fields();
};

}  // namespace larmor::study
