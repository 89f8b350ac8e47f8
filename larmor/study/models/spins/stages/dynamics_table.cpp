#include "larmor/study/models/spins/stages/dynamics_table.hpp"

#include "larmor/spins/integrators/schemes.hpp"
#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"

namespace larmor::study {

FieldTable<DynamicsTable> DynamicsTable::fields() {
  const std::vector<MeasurementInfo> measured = measured_by_dynamics().infos();
  std::vector<std::string> names{"auto"}, docs{"rk4 without heat bath, otherwise depondt"};
  for (const auto& [scheme, info] : spins::all_schemes) {
    names.push_back(info.name);
    docs.push_back(info.doc);
  }
  return FieldTable<DynamicsTable>()
      .required("kind", &DynamicsTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name})
      .optional("integrator", &DynamicsTable::integrator, Dimension::none, "scheme of the steps")
      .one_of(names, docs)
      .required("timestep", &DynamicsTable::timestep, Dimension::time, "length of a step")
      .positive()
      .required("steps", &DynamicsTable::steps, Dimension::none, "number of steps")
      .at_least(1)
      .at_most(most_steps)
      .optional("damping", &DynamicsTable::damping, Dimension::none,
                "Gilbert damping alpha: one for all basis atoms, or one for each")
      .at_least(0)
      .not_empty()
      .optional("temperature", &DynamicsTable::temperature, Dimension::temperature,
                "temperature of the heat bath; at 0 there is no heat bath")
      .at_least(0)
      .optional("temperature_schedule", &DynamicsTable::temperature_schedule, Dimension::none,
                "instead of temperature: points { time, temperature }, joined by straight lines")
      .optional("pulse", &DynamicsTable::pulse, Dimension::none,
                "fields that change with time. The fields of several tables are added")
      .optional("torque", &DynamicsTable::torque, Dimension::none,
                "torques of currents, at most one of each kind")
      .optional(
          "measure", &DynamicsTable::measure, Dimension::none,
          "measurements. If left out, the stage measures energy and magnetisation every 10 steps")
      .described_as("list of tables", describe_entries(measured))
      .optional("keep_configurations", &DynamicsTable::keep_configurations, Dimension::none,
                "number of replicas whose final configuration is stored")
      .at_least(0);
}

}  // namespace larmor::study
