#pragma once
// The tables of the stages: what is done to the system, and what is measured meanwhile.

#include "larmor/core/fields.hpp"

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
                "Metropolis trial: anywhere on the sphere, or in a cone tuned while thermalising")
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
  SourcePosition where;

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
  std::vector<std::string> measure{"energy", "magnetisation"};
  Index trajectory_every = 0;
  Index keep_configurations = 1;
  SourcePosition where;

  static FieldTable<MonteCarloTable> fields() {
    FieldTable<MonteCarloTable> table;
    table.required("kind", &MonteCarloTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .required("temperature", &MonteCarloTable::temperature, Dimension::temperature,
                  "a temperature, a list of them, or { from, to, factor | step | points }");
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
        .optional("measure", &MonteCarloTable::measure, Dimension::none,
                  "energy, magnetisation, energy-terms")
        .one_of({"energy", "magnetisation", "energy-terms"})
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
  SourcePosition where;

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

/// One entry of `measure` of a dynamics stage.
struct MeasurementTable {
  static constexpr const char* name = "measure";
  std::string what;
  Index every = 10;
  std::vector<std::string> path;
  std::optional<Index> points;
  std::vector<Vec3<double>> q;
  std::string method = "auto";
  std::string window = "hann";
  std::string origins = "fixed";
  bool connected = true;
  Index replicas = 1;
  SourcePosition where;

  static FieldTable<MeasurementTable> fields() {
    return FieldTable<MeasurementTable>()
        .required("what", &MeasurementTable::what, Dimension::none, "what is measured")
        .one_of({"energy", "magnetisation", "energy-terms", "structure-factor", "trajectory"})
        .optional("every", &MeasurementTable::every, Dimension::none, "steps between measurements")
        .at_least(1)
        .optional("path", &MeasurementTable::path, Dimension::none,
                  "structure-factor: named points of the Brillouin zone, joined by straight lines")
        .optional(
            "points", &MeasurementTable::points, Dimension::none,
            "structure-factor: q-points on each line of the path; all commensurate ones if left "
            "out")
        .at_least(1)
        .at_most(100000)
        .optional("q", &MeasurementTable::q, Dimension::none,
                  "structure-factor: explicit wave vectors in reciprocal-lattice units")
        .optional("method", &MeasurementTable::method, Dimension::none,
                  "structure-factor: sum with factorised phases, or FFT on lattices")
        .one_of({"auto", "factorised", "fft"})
        .optional("window", &MeasurementTable::window, Dimension::none,
                  "structure-factor: weight of the time lags")
        .one_of({"none", "hann", "hamming", "gaussian", "blackman"})
        .optional("origins", &MeasurementTable::origins, Dimension::none,
                  "structure-factor: correlate with the first time only, or with all")
        .one_of({"fixed", "all"})
        .optional("connected", &MeasurementTable::connected, Dimension::none,
                  "structure-factor: subtract the product of the averages over replicas")
        .optional("replicas", &MeasurementTable::replicas, Dimension::none,
                  "trajectory: replicas stored")
        .at_least(1);
  }
};

struct DynamicsTable {
  static constexpr const char* name = "dynamics";
  static constexpr const char* doc = "integrate the Landau-Lifshitz equation";
  std::string kind = name;
  std::string integrator = "rk4";
  double timestep = 0;
  Index steps = 0;
  std::vector<MeasurementTable> measure;
  Index keep_configurations = 1;
  SourcePosition where;

  static FieldTable<DynamicsTable> fields() {
    return FieldTable<DynamicsTable>()
        .required("kind", &DynamicsTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .optional("integrator", &DynamicsTable::integrator, Dimension::none,
                  "rk4: Landau-Lifshitz without damping, fourth order")
        .one_of({"rk4"})
        .required("timestep", &DynamicsTable::timestep, Dimension::time, "length of a step")
        .positive()
        .required("steps", &DynamicsTable::steps, Dimension::none, "number of steps")
        .at_least(1)
        .at_most(most_steps)
        .optional("measure", &DynamicsTable::measure, Dimension::none,
                  "what is measured; energy and magnetisation every 10 steps if left out")
        .optional("keep_configurations", &DynamicsTable::keep_configurations, Dimension::none,
                  "replicas whose final configuration is stored")
        .at_least(0);
  }
};

}  // namespace larmor::study
