#pragma once
// The table of a Monte Carlo stage: updates of the system, and measurements.

#include "larmor/study/input/temperature.hpp"
#include "larmor/study/sampling/measuring_stage.hpp"

namespace larmor::study {

/// Keys that the stage has for every model kind.
struct MonteCarloKeys {
  std::string kind;
  Value temperature;  ///< 1 for model kinds without one
  Index thermalisation = 1000;
  Index sweeps = 10000;
  std::optional<Index> measure_every;
  Index trajectory_every = 0;
  Index keep_configurations = 1;
  TablePosition where;
};

/// Model kinds without a temperature have `static constexpr bool has_temperature = false`: their
/// weight is exp(-energy), and couplings are in tables of their own.
template <class Matter>
constexpr bool has_temperature() {
  if constexpr (requires { Matter::has_temperature; })
    return Matter::has_temperature;
  else
    return true;
}

/// @param Matter names SamplerKeys, with add_sampler_fields(FieldTable). Matter lists its
/// measurements in measured(), a MeasureList. usual_measurements() gives the measurements of a
/// study without `measure`.
template <class Matter>
struct MonteCarloTable : MonteCarloKeys, Matter::SamplerKeys {
  static constexpr const char* name = "monte-carlo";
  static constexpr const char* doc = has_temperature<Matter>()
                                         ? "sample equilibrium at one temperature or several"
                                         : "sample equilibrium";
  std::vector<Value> measure = Matter::usual_measurements();  ///< in the form that `read_measure`
                                                              ///< takes

  MonteCarloTable() {
    kind = name;
    if (!has_temperature<Matter>()) temperature = 1.0;
  }

  static FieldTable<MonteCarloTable> fields() {
    FieldTable<MonteCarloTable> table;
    table
        .required("kind", &MonteCarloTable::kind, Dimension::none,
                  "kind of the stage: the name of this table")
        .one_of({name});
    if constexpr (has_temperature<Matter>())
      table
          .required("temperature", &MonteCarloTable::temperature, Dimension::temperature,
                    "a temperature, a list of them, or { from, to, factor | step | points }")
          .template with_child<TemperatureRange>();
    Matter::add_sampler_fields(table)
        .optional("thermalisation", &MonteCarloTable::thermalisation, Dimension::none,
                  has_temperature<Matter>() ? "sweeps at each temperature before measuring"
                                            : "sweeps before measuring")
        .at_least(0)
        .at_most(most_steps)
        .optional("sweeps", &MonteCarloTable::sweeps, Dimension::none,
                  has_temperature<Matter>() ? "sweeps at each temperature while measuring"
                                            : "sweeps while measuring")
        .at_least(1)
        .at_most(most_steps)
        .optional(
            "measure_every", &MonteCarloTable::measure_every, Dimension::none,
            "number of sweeps between measurements. The default is 10, and for cluster updates 1")
        .at_least(1);
    return add_measure<Matter>(table, "names, or `{ what = NAME, .. }` for a measurement with keys")
        .optional("trajectory_every", &MonteCarloTable::trajectory_every, Dimension::none,
                  "number of measurements between stored configurations. If 0, no configurations "
                  "are stored")
        .at_least(0)
        .optional("keep_configurations", &MonteCarloTable::keep_configurations, Dimension::none,
                  "number of replicas whose configuration is stored")
        .at_least(0);
  }
};

}  // namespace larmor::study
