#include "larmor/imports/vampire/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/input/suggest.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/imports/vampire/cooling.hpp"

namespace larmor::imports::vampire {
namespace {

constexpr Index most_temperatures = 10000;
constexpr Index steps_of_benchmark = 10000;

/// A number of steps, or a temperature, with its place.
struct Steps {
  Index count;
  SourceMark where;
};

/// The fields of a hysteresis loop.
struct Loop {
  double largest;  ///< T
  Quantity step;
  SourceMark where, step_where;
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
  Value dynamics_stage(const char* key, const Value& heat, const Steps& steps, bool measured) const;
  void add_stage(double kelvin, const SourceMark& where, const Steps& steps, bool measured);
  void add_stage_in_field(double tesla, const SourceMark& where, const Steps& steps, bool measured);
  Vec3<double> unit_field_direction() const;
  Steps total() const;
  std::pair<double, SourceMark> equilibration_temperature() const;
  std::array<double, 2> temperature_range() const;
  Loop loop() const;
  void note_without_effect(const std::string& name) const;
  void benchmark();
  void time_series();
  void curie_temperature();
  void field_cool();
  void static_hysteresis();
  void hysteresis_loop();

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

Vec3<double> Simulation::unit_field_direction() const {
  const Keyword* const along = input_.find("sim:applied-field-unit-vector");
  return unit_vector(along != nullptr ? direction_of(*along) : Vec3<double>{0, 0, 1});
}

void Simulation::add_field(Value& study) const {
  const Keyword* const strength = input_.find("sim:applied-field-strength");
  if (strength == nullptr) return;
  const double B = quantity_of(*strength, Dimension::magnetic_field, "T").inner;
  if (B == 0) return;
  const Vec3<double> u = B * unit_field_direction();
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

/// Steps of dynamics. Steps that equilibrate measure only at their end.
/// @param key temperature or temperature_schedule @param heat its value
Value Simulation::dynamics_stage(const char* key, const Value& heat, const Steps& steps,
                                 bool measured) const {
  const SourceMark& where = heat.source_mark();
  Value stage = placed(Value(), where);
  set_placed(stage, "kind", Value("dynamics"), where);
  set_placed(stage, "integrator", Value(integrator_), where);
  stage.set("timestep", timestep_, timestep_.source_mark());
  set_placed(stage, "steps", Value(steps.count), steps.where);
  stage.set("damping", damping_, damping_.source_mark());
  set_placed(stage, key, heat, where);
  const Index every = measured ? std::min(increment(), steps.count) : steps.count;
  stage.set("measure",
            Value(Value::Array{measurement("energy", every), measurement("magnetisation", every)}));
  stage.set("keep_configurations", Value(0));
  return stage;
}

Value kelvin_value(double kelvin, const SourceMark& where) {
  return placed(Value(number_text(kelvin) + " K"), where);
}

/// Adds steps of dynamics at one temperature.
void Simulation::add_stage(double kelvin, const SourceMark& where, const Steps& steps,
                           bool measured) {
  if (steps.count > 0)
    stages_.push_back(dynamics_stage("temperature", kelvin_value(kelvin, where), steps, measured));
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

Steps Simulation::total() const {
  return steps(input_.find("sim:time-steps") != nullptr ? "sim:time-steps" : "sim:total-time-steps",
               "10000");
}

/// Its place has the line 0 if the keyword is missing.
std::pair<double, SourceMark> Simulation::equilibration_temperature() const {
  const Keyword* const keyword = input_.find("sim:equilibration-temperature");
  if (keyword == nullptr) return {300, file_};
  return {temperature(*keyword), keyword->where};
}

void Simulation::time_series() {
  const Keyword& keyword = required("sim:temperature", "300");
  const double kelvin = temperature(keyword);
  const Steps total = this->total(), before = equilibration();
  const auto [before_kelvin, before_mark] = equilibration_temperature();
  if (before.count > 0 && kelvin != before_kelvin && before_mark.line == 0)
    notes_.emplace_back(
        "sim:equilibration-temperature is missing; Vampire equilibrates a time series at 300 K");
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

/// The minimum and the maximum.
std::array<double, 2> Simulation::temperature_range() const {
  const Keyword& low = required("sim:minimum-temperature", "0");
  const Keyword& high = required("sim:maximum-temperature", "1000");
  const std::array<double, 2> range{temperature(low), temperature(high)};
  if (range[1] < range[0])
    throw InputError("the maximum temperature is below the minimum", high.value_mark.position(),
                     "write a temperature from " + number_text(range[0]) + " K");
  return range;
}

void Simulation::curie_temperature() {
  const auto [from, to] = temperature_range();
  const Keyword &low = *input_.find("sim:minimum-temperature"),
                &high = *input_.find("sim:maximum-temperature");
  const Keyword& step = required("sim:temperature-increment", "25");
  const double by = temperature(step);
  if (by <= 0)
    throw InputError("the temperature increment is not positive", step.value_mark.position(),
                     "write a difference of temperatures in K");
  if (to < from)
    throw InputError("the maximum temperature is below the minimum", high.value_mark.position(),
                     "write a temperature from " + number_text(from) + " K");
  const double intervals = std::floor((to - from) / by + 1e-9);
  if (intervals >= most_temperatures)
    throw InputError("there are more than " + std::to_string(most_temperatures) + " temperatures",
                     step.value_mark.position(), "write a larger increment");
  const Index points = static_cast<Index>(intervals) + 1;
  const Steps before = equilibration(), measured = steps("sim:loop-time-steps", "10000");
  // Clang 16 and older cannot capture structured bindings in lambdas.
  const auto kelvin = [from = from, &by](Index n) { return from + static_cast<double>(n) * by; };
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

/// field-cool: equilibration, then a temperature that falls with time.
void Simulation::field_cool() {
  if (monte_carlo_)
    throw InputError("field-cool needs a time, which Monte Carlo lacks",
                     input_.find("sim:integrator")->value_mark.position(),
                     "write sim:integrator = llg-heun, or give a stage of Monte Carlo a falling "
                     "range of temperatures in a study");
  const Keyword& cooling_time = required("sim:cooling-time", "1.0E-10");
  const std::array<double, 2> range = temperature_range();
  const Steps before = equilibration(), total = this->total();
  const auto [before_kelvin, before_mark] = equilibration_temperature();
  if (before.count > 0 && before_mark.line == 0)
    notes_.emplace_back("sim:equilibration-temperature is missing; Vampire assumes 300 K");
  if (input_.find("sim:cooling-function") == nullptr)
    notes_.emplace_back("sim:cooling-function is missing; Vampire cools exponentially");
  add_stage(before_kelvin, before_mark, before, false);
  const double timestep =
      parse_quantity(timestep_.as_string(), Dimension::time, ReadContext::material(),
                     "sim:time-step", timestep_.where());
  const Cooling cooling =
      cooling_of(input_, cooling_time, static_cast<double>(total.count) * timestep, range);
  if (cooling.largest_difference > 0)
    notes_.push_back(fmt::format(
        "field-cool: lines join {} points of the cooling function, and differ from it by at most "
        "{:.1g} K",
        cooling.points.as_array().size(), cooling.largest_difference * (range[1] - range[0])));
  stages_.push_back(dynamics_stage("temperature_schedule", cooling.points, total, true));
}

Loop Simulation::loop() const {
  const Keyword& strength = required("sim:maximum-applied-field-strength", "1.0");
  const Keyword& step = required("sim:applied-field-strength-increment", "0.1");
  const double B = quantity_of(strength, Dimension::magnetic_field, "T").inner;
  const Quantity by = quantity_of(step, Dimension::magnetic_field, "T");
  if (B <= 0 || by.inner <= 0 || by.inner > 2 * B)
    throw InputError("the fields of the loop are not possible", step.value_mark.position(),
                     "write a positive largest field, and a smaller positive increment");
  return {B, by, strength.where, step.where};
}

/// static-hysteresis-loop: from the largest field to its opposite and back, at 0 K.
void Simulation::static_hysteresis() {
  const Keyword& of_temperature = required("sim:temperature", "0");
  if (temperature(of_temperature) != 0)
    throw InputError("a static loop needs a temperature of 0", of_temperature.value_mark.position(),
                     "write sim:temperature = 0, or sim:program = hysteresis-loop");
  if (const Keyword* before = input_.find("sim:equilibration-applied-field-strength");
      before != nullptr && number_of(*before) != 0)
    throw InputError(before->name + " is not supported in a static loop", before->where.position(),
                     "Larmor equilibrates at the largest field of the loop; remove the line");
  const Loop loop = this->loop();
  Value range = placed(Value(), loop.where);
  set_placed(range, "from", Value(tesla(loop.largest)), loop.where);
  set_placed(range, "to", Value(tesla(-loop.largest)), loop.where);
  set_placed(range, "step", Value(loop.step.text), loop.step_where);
  Value stage = placed(Value(), loop.where);
  stage.set("kind", Value("hysteresis"));
  const Keyword* const along = input_.find("sim:applied-field-unit-vector");
  stage.set("direction",
            placed(vector_value(along != nullptr ? direction_of(*along) : Vec3<double>{0, 0, 1}),
                   along != nullptr ? along->where : file_));
  stage.set("field", range, loop.where);
  stage.set("loop", Value(true));
  stages_.push_back(std::move(stage));
  notes_.emplace_back(
      "Larmor minimises the energy at each field of the static loop; sim:loop-time-steps and "
      "sim:integrator are not needed");
}

/// Adds a stage at sim:temperature with a field along the direction of the applied field.
void Simulation::add_stage_in_field(double B, const SourceMark& where, const Steps& steps,
                                    bool measured) {
  if (steps.count == 0) return;
  const Keyword& of_temperature = required("sim:temperature", "300");
  const double kelvin = temperature(of_temperature);
  Value stage = monte_carlo_
                    ? monte_carlo_stage(positive_temperature(kelvin, of_temperature), {0, file_},
                                        steps, measured ? increment() : steps.count)
                    : dynamics_stage("temperature", kelvin_value(kelvin, of_temperature.where),
                                     steps, measured);
  const Vec3<double> u = B * unit_field_direction();
  // A sum with 0 has no -0.
  const Value field(Value::Array{tesla(u.x + 0.0), tesla(u.y + 0.0), tesla(u.z + 0.0)});
  if (monte_carlo_) {
    set_placed(stage, "added_field", field, where);
  } else {
    Value pulse = placed(Value(), where);
    set_placed(pulse, "B", field, where);
    set_placed(pulse, "shape", Value("constant"), where);
    set_placed(stage, "pulse", Value(Value::Array{std::move(pulse)}), where);
  }
  stages_.push_back(std::move(stage));
}

/// hysteresis-loop: from the largest field to its opposite and back. Each field continues from the
/// spins of the one before it.
void Simulation::hysteresis_loop() {
  // Vampire rounds fields to microtesla.
  constexpr double microtesla = 1e6;
  const Loop loop = this->loop();
  const double largest = std::round(loop.largest * microtesla);
  const double by = std::round(loop.step.inner * microtesla);
  if (by < 1 || 2 * largest / by >= static_cast<double>(most_temperatures))
    throw InputError(
        "the increment of the field is too small", loop.step_where.position(),
        "write a larger increment: at least 1e-6 T, and at most 10000 fields a branch");
  const Steps before = equilibration(), at_a_field = steps("sim:loop-time-steps", "10000");
  const Keyword* const first = input_.find("sim:equilibration-applied-field-strength");
  if (first == nullptr && before.count > 0)
    notes_.emplace_back(
        "sim:equilibration-applied-field-strength is missing; Vampire equilibrates without field");
  add_stage_in_field(
      first != nullptr ? quantity_of(*first, Dimension::magnetic_field, "T").inner : 0,
      first != nullptr ? first->where : before.where, before, false);
  const auto fields = static_cast<Index>(std::floor(2 * largest / by)) + 1;
  for (const double sign : {-1.0, 1.0})
    for (Index n = 0; n < fields; ++n)
      add_stage_in_field(sign * (static_cast<double>(n) * by - largest) / microtesla, loop.where,
                         at_a_field, true);
  notes_.push_back(fmt::format(
      "hysteresis-loop: each of the {} fields is a stage, which continues from the spins of the "
      "stage before it",
      2 * fields));
  note_without_effect("sim:applied-field-strength");
}

/// For a keyword of other programs.
void Simulation::note_without_effect(const std::string& name) const {
  if (input_.find(name) != nullptr)
    notes_.push_back(name + " has no effect on sim:program = " + input_.find("sim:program")->value);
}

void Simulation::add_to(Value& study) {
  const std::vector<std::string> known{"benchmark",       "time-series", "curie-temperature",
                                       "hysteresis-loop", "field-cool",  "static-hysteresis-loop"};
  const Keyword& program = required("sim:program", "time-series");
  const std::string& name = program.value;
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError("the program " + name + " is not supported", program.value_mark.position(),
                     hint_and_list(name, known, "Larmor reads"));
  if (const Keyword* seed = input_.find("sim:integrator-random-seed"))
    set_placed(study, "seed", Value(count_of(*seed, 0)), seed->where);
  const bool is_loop = name.ends_with("hysteresis-loop");
  if (!is_loop) note_without_effect("sim:equilibration-applied-field-strength");
  if (name != "field-cool")
    for (const char* keyword : {"sim:cooling-time", "sim:cooling-function"})
      note_without_effect(keyword);
  if (name != "static-hysteresis-loop") read_integrator();
  if (!is_loop) add_field(study);
  if (name == "static-hysteresis-loop")
    static_hysteresis();
  else if (name == "hysteresis-loop")
    hysteresis_loop();
  else if (name == "benchmark")
    benchmark();
  else if (name == "time-series")
    time_series();
  else if (name == "field-cool")
    field_cool();
  else
    curie_temperature();
  set_placed(study, "stage", Value(stages_), program.where);
}

}  // namespace

void add_simulation(const Keywords& input, const SourceMark& file, const Value& damping,
                    Value& study, std::vector<std::string>& notes) {
  Simulation(input, file, damping, notes).add_to(study);
}

}  // namespace larmor::imports::vampire
