#pragma once
// The tables of the Monte Carlo stages: what is done to the system, and what is measured meanwhile.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// The counter of the random numbers has 40 bits for the step.
constexpr double most_steps = 1e12;

/// `temperature = { from = 10, to = 0.01, factor = 0.995 }`
struct TemperatureRange {
  static constexpr const char* name = "temperature";
  double from = 0;
  double to = 0;
  std::optional<double> factor;
  std::optional<double> step;
  std::optional<Index> points;
  TablePosition where;

  static FieldTable<TemperatureRange> fields() {
    return FieldTable<TemperatureRange>()
        .required("from", &TemperatureRange::from, Dimension::temperature, "first temperature")
        .positive()
        .required("to", &TemperatureRange::to, Dimension::temperature, "last temperature")
        .positive()
        .optional("factor", &TemperatureRange::factor, Dimension::none,
                  "each temperature is the one before times this")
        .positive()
        .optional("step", &TemperatureRange::step, Dimension::temperature,
                  "each temperature differs from the one before by this")
        .positive()
        .optional("points", &TemperatureRange::points, Dimension::none,
                  "this many temperatures, evenly spaced")
        .at_least(2)
        .at_most(1000000);
  }
  /// All temperatures, `from` and `to` included.
  /// @throws InputError unless exactly one of factor, step and points leads from `from` to `to`
  std::vector<double> temperatures() const;
};

/// Keys that the stage has for every kind of matter.
struct MonteCarloKeys {
  std::string kind;
  Value temperature;
  Index thermalisation = 1000;
  Index sweeps = 10000;
  Index measure_every = 10;
  Index trajectory_every = 0;
  Index keep_configurations = 1;
  TablePosition where;
};

/// @param Matter names SamplerKeys with add_sampler_fields(FieldTable), Sampled, an entry of
/// `measure`, with usual_measurements() and sampled_names(), and measure_doc
template <class Matter>
struct MonteCarloTable : MonteCarloKeys, Matter::SamplerKeys {
  static constexpr const char* name = "monte-carlo";
  static constexpr const char* doc = "sample equilibrium at one temperature or several";
  std::vector<typename Matter::Sampled> measure = Matter::usual_measurements();

  MonteCarloTable() { kind = name; }

  static FieldTable<MonteCarloTable> fields() {
    FieldTable<MonteCarloTable> table;
    table.required("kind", &MonteCarloTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .required("temperature", &MonteCarloTable::temperature, Dimension::temperature,
                  "a temperature, a list of them, or { from, to, factor | step | points }")
        .template may_be<TemperatureRange>();
    Matter::add_sampler_fields(table)
        .optional("thermalisation", &MonteCarloTable::thermalisation, Dimension::none,
                  "sweeps at each temperature before measuring")
        .at_least(0)
        .at_most(most_steps)
        .optional("sweeps", &MonteCarloTable::sweeps, Dimension::none,
                  "sweeps at each temperature while measuring")
        .at_least(1)
        .at_most(most_steps)
        .optional("measure_every", &MonteCarloTable::measure_every, Dimension::none,
                  "sweeps between measurements")
        .at_least(1)
        .optional("measure", &MonteCarloTable::measure, Dimension::none, Matter::measure_doc)
        .one_of(Matter::sampled_names())
        .optional("trajectory_every", &MonteCarloTable::trajectory_every, Dimension::none,
                  "measurements between stored configurations; 0: none")
        .at_least(0)
        .optional("keep_configurations", &MonteCarloTable::keep_configurations, Dimension::none,
                  "replicas whose configuration is stored")
        .at_least(0);
    return table;
  }
};

/// Keys that the stage has for every kind of matter.
struct AnnealKeys {
  std::string kind;
  TemperatureRange temperature;
  Index sweeps = 100;
  Index keep_configurations = 1;
  TablePosition where;
};

template <class Matter>
struct AnnealTable : AnnealKeys, Matter::SamplerKeys {
  static constexpr const char* name = "anneal";
  static constexpr const char* doc = "cool (or heat) slowly through a range of temperatures";

  AnnealTable() { kind = name; }

  static FieldTable<AnnealTable> fields() {
    FieldTable<AnnealTable> table;
    table.required("kind", &AnnealTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .required("temperature", &AnnealTable::temperature, Dimension::none,
                  "the range of temperatures");
    Matter::add_sampler_fields(table)
        .optional("sweeps", &AnnealTable::sweeps, Dimension::none, "sweeps at each temperature")
        .at_least(1)
        .at_most(most_steps)
        .optional("keep_configurations", &AnnealTable::keep_configurations, Dimension::none,
                  "replicas whose configuration is stored")
        .at_least(0);
    return table;
  }
};

}  // namespace larmor::study
