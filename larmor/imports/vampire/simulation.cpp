#include "larmor/imports/vampire/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/input/suggest.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/imports/values.hpp"

namespace larmor::imports::vampire {
namespace {

constexpr Index most_temperatures = 10000;
constexpr Index steps_of_benchmark = 10000;

/// A number of steps, or a temperature, with its place.
struct Steps {
  Index count;
  SourceMark where;
};

class Simulation {
 public:
  Simulation(const Keywords& input, const SourceMark& file, const Value& damping,
             std::vector<std::string>& notes)
      : input_(input), file_(file), damping_(damping), notes_(notes) {}

  void add_to(Value& study);

 private:
  const Keyword& required(const char* name, const std::string& example) const;
  double temperature(const Keyword& keyword) const;
  Steps steps(const char* name, const std::string& example) const;
  Steps equilibration() const;
  Index increment() const;
  void read_integrator();
  void add_field(Value& study) const;
  void add_stage(double kelvin, const SourceMark& where, const Steps& steps, bool measured);
  void benchmark();
  void time_series();
  void curie_temperature();
  void hysteresis();

  const Keywords& input_;
  SourceMark file_;
  const Value& damping_;
  std::vector<std::string>& notes_;
  bool monte_carlo_ = false;
  std::string integrator_;
  Value timestep_;
  Value::Array stages_;
};

const Keyword& Simulation::required(const char* name, const std::string& example) const {
  if (const Keyword* keyword = input_.find(name)) return *keyword;
  throw InputError(std::string(name) + " is missing", file_.position(),
                   "write " + std::string(name) + " = " + example +
                       "; Larmor does not guess the default of a version of Vampire");
}

double Simulation::temperature(const Keyword& keyword) const {
  const double kelvin = quantity_of(keyword, Dimension::temperature, "K").inner;
  if (kelvin < 0)
    throw InputError("the temperature is negative", keyword.value_mark.position(),
                     "write a temperature in K, from 0");
  return kelvin;
}

Steps Simulation::steps(const char* name, const std::string& example) const {
  const Keyword& keyword = required(name, example);
  return {count_of(keyword, 1), keyword.where};
}

Steps Simulation::equilibration() const {
  const Keyword* const keyword = input_.find("sim:equilibration-time-steps");
  return keyword == nullptr ? Steps{0, file_} : Steps{count_of(*keyword, 0), keyword->where};
}

Index Simulation::increment() const {
  const Keyword* const keyword = input_.find("sim:time-steps-increment");
  return keyword == nullptr ? 10 : count_of(*keyword, 1);
}

void Simulation::read_integrator() {
  const Keyword* const keyword = input_.find("sim:integrator");
  const std::string name = keyword == nullptr ? "llg-heun" : keyword->value;
  const std::vector<std::string> known{"llg-heun", "llg-midpoint", "monte-carlo"};
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError("the integrator " + name + " is not supported", keyword->value_mark.position(),
                     hint_and_list(name, known, "Larmor reads"));
  monte_carlo_ = name == "monte-carlo";
  if (monte_carlo_) return;
  integrator_ = name == "llg-heun" ? "heun" : "midpoint";
  if (const Keyword* step = input_.find("sim:time-step")) {
    const Quantity length = quantity_of(*step, Dimension::time, "s");
    if (length.inner <= 0)
      throw InputError("the time step is not positive", step->value_mark.position(),
                       "write seconds, such as 1.0E-16");
    timestep_ = placed(Value(length.text), step->where);
  } else {
    timestep_ = placed(Value("1 fs"), file_);
    notes_.emplace_back("sim:time-step is missing; Vampire assumes 1 fs");
  }
  notes_.emplace_back(
      "Vampire rounds the gyromagnetic ratio to 1.76e11 /(s T), and Larmor takes that of the free "
      "electron: times differ by 0.05 %");
}

std::string tesla(double value) { return number_text(value) + " T"; }

void Simulation::add_field(Value& study) const {
  const Keyword* const strength = input_.find("sim:applied-field-strength");
  if (strength == nullptr) return;
  const double B = quantity_of(*strength, Dimension::magnetic_field, "T").inner;
  if (B == 0) return;
  const Keyword* const along = input_.find("sim:applied-field-unit-vector");
  const Vec3<double> u =
      B * unit_vector(along != nullptr ? direction_of(*along) : Vec3<double>{0, 0, 1});
  Value field = placed(Value(), strength->where);
  set_placed(field, "B", Value(Value::Array{tesla(u.x), tesla(u.y), tesla(u.z)}), strength->where);
  study.set("field", field, strength->where);
}

Value measurement(const char* name, Index every) {
  Value entry;
  entry.set("what", Value(name));
  entry.set("every", Value(every));
  return entry;
}

/// Adds steps of dynamics at one temperature. Steps that equilibrate measure only at their end.
void Simulation::add_stage(double kelvin, const SourceMark& where, const Steps& steps,
                           bool measured) {
  if (steps.count == 0) return;
  Value stage = placed(Value(), where);
  set_placed(stage, "kind", Value("dynamics"), where);
  set_placed(stage, "integrator", Value(integrator_), where);
  stage.set("timestep", timestep_, timestep_.source_mark());
  set_placed(stage, "steps", Value(steps.count), steps.where);
  stage.set("damping", damping_, damping_.source_mark());
  set_placed(stage, "temperature", Value(number_text(kelvin) + " K"), where);
  const Index every = measured ? std::min(increment(), steps.count) : steps.count;
  stage.set("measure",
            Value(Value::Array{measurement("energy", every), measurement("magnetisation", every)}));
  stage.set("keep_configurations", Value(0));
  stages_.push_back(std::move(stage));
}

/// @param temperature a temperature or a range
Value monte_carlo_stage(const Value& temperature, const Steps& thermalisation, const Steps& sweeps,
                        Index every) {
  const SourceMark& where = temperature.source_mark();
  Value stage = placed(Value(), where);
  set_placed(stage, "kind", Value("monte-carlo"), where);
  stage.set("temperature", temperature, where);
  set_placed(stage, "thermalisation", Value(thermalisation.count), thermalisation.where);
  set_placed(stage, "sweeps", Value(sweeps.count), sweeps.where);
  stage.set("measure_every", Value(std::min(every, sweeps.count)));
  stage.set("measure", Value(Value::Array{"energy", "magnetisation", "sublattices"}));
  return stage;
}

/// @throws InputError for Monte Carlo at 0 K
Value positive_temperature(double kelvin, const Keyword& keyword) {
  if (kelvin <= 0)
    throw InputError("Monte Carlo needs a positive temperature", keyword.value_mark.position(),
                     "write a temperature in K");
  return placed(Value(number_text(kelvin) + " K"), keyword.where);
}

void Simulation::benchmark() {
  const Keyword& keyword = required("sim:temperature", "300");
  const double kelvin = temperature(keyword);
  const Steps all{steps_of_benchmark, input_.find("sim:program")->where};
  if (monte_carlo_)
    stages_.push_back(
        monte_carlo_stage(positive_temperature(kelvin, keyword), {0, file_}, all, increment()));
  else
    add_stage(kelvin, keyword.where, all, true);
}

void Simulation::time_series() {
  const Keyword& keyword = required("sim:temperature", "300");
  const double kelvin = temperature(keyword);
  const char* const name =
      input_.find("sim:time-steps") != nullptr ? "sim:time-steps" : "sim:total-time-steps";
  const Steps total = steps(name, "10000"), before = equilibration();
  double before_kelvin = 300;
  SourceMark before_mark = before.where;
  if (const Keyword* of_equilibration = input_.find("sim:equilibration-temperature")) {
    before_kelvin = temperature(*of_equilibration);
    before_mark = of_equilibration->where;
  } else if (before.count > 0 && kelvin != before_kelvin) {
    notes_.emplace_back(
        "sim:equilibration-temperature is missing; Vampire equilibrates a time series at 300 K");
  }
  if (!monte_carlo_) {
    add_stage(before_kelvin, before_mark, before, false);
    add_stage(kelvin, keyword.where, total, true);
    return;
  }
  const Value at = positive_temperature(kelvin, keyword);
  if (before.count == 0 || before_kelvin == kelvin) {
    stages_.push_back(monte_carlo_stage(at, before, total, increment()));
    return;
  }
  if (before_kelvin <= 0)
    throw InputError("Monte Carlo needs a positive temperature", before_mark.position(),
                     "write a temperature in K");
  stages_.push_back(monte_carlo_stage(placed(Value(number_text(before_kelvin) + " K"), before_mark),
                                      {0, before.where}, before, before.count));
  stages_.push_back(monte_carlo_stage(at, {0, before.where}, total, increment()));
}

void Simulation::curie_temperature() {
  const Keyword& low = required("sim:minimum-temperature", "0");
  const Keyword& high = required("sim:maximum-temperature", "1000");
  const Keyword& step = required("sim:temperature-increment", "25");
  const double from = temperature(low), to = temperature(high), by = temperature(step);
  if (by <= 0)
    throw InputError("the temperature increment is not positive", step.value_mark.position(),
                     "write a difference of temperatures in K");
  if (to < from)
    throw InputError("the maximum temperature is below the minimum", high.value_mark.position(),
                     "write a temperature from " + number_text(from) + " K");
  const auto points = static_cast<Index>(std::floor((to - from) / by + 1e-9)) + 1;
  if (points > most_temperatures)
    throw InputError("there are more than " + std::to_string(most_temperatures) + " temperatures",
                     step.value_mark.position(), "write a larger increment");
  const Steps before = equilibration(), measured = steps("sim:loop-time-steps", "10000");
  const auto kelvin = [&](Index n) { return from + static_cast<double>(n) * by; };
  if (!monte_carlo_) {
    for (Index n = 0; n < points; ++n) {
      add_stage(kelvin(n), low.where, before, false);
      add_stage(kelvin(n), low.where, measured, true);
    }
    return;
  }
  const Index first = from > 0 ? 0 : 1;
  if (first == points) {
    positive_temperature(from, low);  // throws
    return;
  }
  if (first == 1)
    notes_.emplace_back(
        "0 K is left out of the temperatures, because Monte Carlo has no moves there");
  const Value begin = placed(Value(number_text(kelvin(first)) + " K"), low.where);
  Value range = begin;
  if (points - first > 1) {
    range = placed(Value(), low.where);
    range.set("from", begin, low.where);
    range.set("to", placed(Value(number_text(kelvin(points - 1)) + " K"), high.where), high.where);
    set_placed(range, "points", Value(points - first), step.where);
  }
  stages_.push_back(monte_carlo_stage(range, before, measured, increment()));
}

/// static-hysteresis-loop: from the largest field to its opposite and back, at 0 K.
void Simulation::hysteresis() {
  const Keyword& of_temperature = required("sim:temperature", "0");
  if (temperature(of_temperature) != 0)
    throw InputError("a static loop needs a temperature of 0", of_temperature.value_mark.position(),
                     "write sim:temperature = 0");
  const Keyword& strength = required("sim:maximum-applied-field-strength", "1.0");
  const Keyword& step = required("sim:applied-field-strength-increment", "0.1");
  const double B = quantity_of(strength, Dimension::magnetic_field, "T").inner;
  const Quantity by = quantity_of(step, Dimension::magnetic_field, "T");
  if (B <= 0 || by.inner <= 0 || by.inner > 2 * B)
    throw InputError("the fields of the loop are not possible", step.value_mark.position(),
                     "write a positive largest field, and a smaller positive increment");
  Value range = placed(Value(), strength.where);
  set_placed(range, "from", Value(tesla(B)), strength.where);
  set_placed(range, "to", Value(tesla(-B)), strength.where);
  set_placed(range, "step", Value(by.text), step.where);
  const Keyword* const along = input_.find("sim:applied-field-unit-vector");
  const Vec3<double> u = along != nullptr ? direction_of(*along) : Vec3<double>{0, 0, 1};
  Value stage = placed(Value(), strength.where);
  stage.set("kind", Value("hysteresis"));
  stage.set("direction",
            placed(Value(Value::Array{u.x, u.y, u.z}), along != nullptr ? along->where : file_));
  stage.set("field", range, strength.where);
  stage.set("loop", Value(true));
  stages_.push_back(std::move(stage));
  notes_.emplace_back(
      "Larmor minimises the energy at each field of the static loop; sim:loop-time-steps and "
      "sim:integrator are not needed");
}

void Simulation::add_to(Value& study) {
  const std::vector<std::string> known{"benchmark", "time-series", "curie-temperature",
                                       "static-hysteresis-loop"};
  const Keyword& program = required("sim:program", "time-series");
  if (std::find(known.begin(), known.end(), program.value) == known.end()) {
    const bool is_loop = program.value == "hysteresis-loop";
    throw InputError("the program " + program.value + " is not supported",
                     program.value_mark.position(),
                     is_loop ? "write static-hysteresis-loop and sim:temperature = 0, or a study "
                               "with pulses in stages of dynamics"
                             : hint_and_list(program.value, known, "Larmor reads"));
  }
  if (const Keyword* seed = input_.find("sim:integrator-random-seed"))
    set_placed(study, "seed", Value(count_of(*seed, 0)), seed->where);
  if (program.value == "static-hysteresis-loop") {
    hysteresis();
  } else {
    read_integrator();
    add_field(study);
    if (program.value == "benchmark")
      benchmark();
    else if (program.value == "time-series")
      time_series();
    else
      curie_temperature();
  }
  set_placed(study, "stage", Value(stages_), program.where);
}

}  // namespace

void add_simulation(const Keywords& input, const SourceMark& file, const Value& damping,
                    Value& study, std::vector<std::string>& notes) {
  Simulation(input, file, damping, notes).add_to(study);
}

}  // namespace larmor::imports::vampire
