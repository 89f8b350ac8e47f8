#pragma once
// The table of a population annealing.

#include <optional>
#include <string>

#include "larmor/study/input/temperature.hpp"
#include "larmor/study/sampling/measuring_stage.hpp"

namespace larmor::study {

/// `temperature = { to = 0.2, overlap = 0.85 }`, or a TemperatureRange.
struct CoolingRange {
  static constexpr const char* name = "temperature";
  std::optional<double> from;
  double to = 0;
  std::optional<double> factor;
  std::optional<double> step;
  std::optional<Index> points;
  std::optional<double> overlap;
  TablePosition where;

  static FieldTable<CoolingRange> fields();
};

/// The falling temperatures of a population.
struct Cooling {
  std::vector<double> temperatures;  ///< the temperatures that the study gives
  double last = 0;
  std::optional<double> overlap;  ///< overlap of the steps to the last one; none: all are given

  /// @throws InputError for temperatures that do not fall, or are not positive
  static Cooling of(const Value& temperature, const ReadContext& context);
};

/// Keys that the stage has for every model kind.
struct PopulationKeys {
  std::string kind;
  Value temperature;
  std::optional<Index> population;
  std::string resampling = "nearest-integer";
  Index sweeps = 10;
  Index keep_configurations = 1;
  TablePosition where;
};

/// @param Matter as for MonteCarloTable
template <class Matter>
struct PopulationTable : PopulationKeys, Matter::SamplerKeys {
  static constexpr const char* name = "population-annealing";
  static constexpr const char* doc =
      "cool a population from infinite temperature, with its free energy and ground states";

  std::vector<Value> measure = Matter::usual_measurements();  ///< in the form that `read_measure`
                                                              ///< takes

  PopulationTable() { kind = name; }

  static FieldTable<PopulationTable> fields() {
    FieldTable<PopulationTable> table;
    table
        .required("kind", &PopulationTable::kind, Dimension::none,
                  "kind of the stage: the name of this table")
        .one_of({name})
        .required(
            "temperature", &PopulationTable::temperature, Dimension::temperature,
            "a list of falling temperatures, or { from, to, factor | step | points | overlap }. "
            "The first step leads from infinite temperature to the first of these temperatures")
        .template with_child<CoolingRange>();
    Matter::add_sampler_fields(table)
        .optional("population", &PopulationTable::population, Dimension::none,
                  "target for the number of replicas at each temperature. The default leaves room "
                  "for changes of this number")
        .at_least(20)
        .optional("resampling", &PopulationTable::resampling, Dimension::none,
                  "how copies of replicas are drawn")
        .one_of({"nearest-integer", "systematic"},
                {"for each replica independently: the size of the population changes",
                 "for all replicas together: the size of the population does not change"})
        .optional("sweeps", &PopulationTable::sweeps, Dimension::none, "sweeps at each temperature")
        .at_least(1)
        .at_most(most_steps);
    return add_measure<Matter>(table, "names of properties of configurations")
        .optional("keep_configurations", &PopulationTable::keep_configurations, Dimension::none,
                  "number of replicas whose configuration is stored")
        .at_least(0);
  }
};

}  // namespace larmor::study
