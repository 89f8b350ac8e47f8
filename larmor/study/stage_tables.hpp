#pragma once
// The tables of the Monte Carlo stages: what is done to the system, and what is measured meanwhile.

#include "larmor/core/fields.hpp"
#include "larmor/study/sampling_tables.hpp"

namespace larmor::study {

/// The counter of the random numbers has 40 bits for the step.
constexpr double most_steps = 1e12;

/// Keys that every Monte Carlo stage has.
struct SamplerKeys {
  std::string sampler = "metropolis";
  std::string move = "adaptive-cone";
  double target_acceptance = 0.5;
  Index over_relaxation = 0;
};

template <class Stage>
FieldTable<Stage>& add_sampler_fields(FieldTable<Stage>& table) {
  return table.optional("sampler", &SamplerKeys::sampler, Dimension::none, "how a spin is updated")
      .one_of({"metropolis", "heat-bath"})
      .optional("move", &SamplerKeys::move, Dimension::none,
                "Metropolis trial: anywhere on the sphere, or in a cone, which begins as the stage "
                "before left it and is tuned while nothing is averaged")
      .one_of({"adaptive-cone", "uniform"})
      .optional("target_acceptance", &SamplerKeys::target_acceptance, Dimension::none,
                "share of trials the adaptive cone aims at")
      .at_least(0.2)
      .at_most(0.9)
      .optional("over_relaxation", &SamplerKeys::over_relaxation, Dimension::none,
                "reflections of every spin after each sweep")
      .at_least(0)
      .at_most(1000);
}

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

struct MonteCarloTable : SamplerKeys {
  static constexpr const char* name = "monte-carlo";
  static constexpr const char* doc = "sample equilibrium at one temperature or several";
  std::string kind = name;
  Value temperature;
  Index thermalisation = 1000;
  Index sweeps = 10000;
  Index measure_every = 10;
  std::vector<SampledTable> measure = energy_and_magnetisation();
  Index trajectory_every = 0;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<MonteCarloTable> fields() {
    FieldTable<MonteCarloTable> table;
    table.required("kind", &MonteCarloTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .required("temperature", &MonteCarloTable::temperature, Dimension::temperature,
                  "a temperature, a list of them, or { from, to, factor | step | points }")
        .may_be<TemperatureRange>();
    add_sampler_fields(table)
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
        .optional(
            "measure", &MonteCarloTable::measure, Dimension::none,
            "energy and magnetisation always; also energy-terms, sublattices (magnetisation of "
            "each species or basis atom), topological-charge, spin-temperature, spin-currents; "
            "site-energy, site-spins: averages of every site; { what = \"structure-factor\", .. }: "
            "S(q) at equal times")
        .one_of(sampled_names())
        .optional("trajectory_every", &MonteCarloTable::trajectory_every, Dimension::none,
                  "measurements between stored configurations; 0: none")
        .at_least(0)
        .optional("keep_configurations", &MonteCarloTable::keep_configurations, Dimension::none,
                  "replicas whose configuration is stored")
        .at_least(0);
    return table;
  }
};

struct AnnealTable : SamplerKeys {
  static constexpr const char* name = "anneal";
  static constexpr const char* doc = "cool (or heat) slowly through a range of temperatures";
  std::string kind = name;
  TemperatureRange temperature;
  Index sweeps = 100;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<AnnealTable> fields() {
    FieldTable<AnnealTable> table;
    table.required("kind", &AnnealTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .required("temperature", &AnnealTable::temperature, Dimension::none,
                  "the range of temperatures");
    add_sampler_fields(table)
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
