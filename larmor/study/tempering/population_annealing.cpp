#include "larmor/study/tempering/population_annealing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

using tempering::Population;
using tempering::PopulationRule;
using tempering::Resampling;
using Means = std::span<const double>;

/// More steps than any system needs: an overlap of 0.99 and 10^6 sites take about 10^5.
constexpr std::size_t most_temperatures = 1000000;

Resampling resampling_of(const PopulationKeys& keys) {
  return keys.resampling == "systematic" ? Resampling::systematic : Resampling::nearest_integer;
}

/// The largest target that leaves room for a population of changing size.
Index most_of_population(const PopulationKeys& keys, Index replicas) {
  if (resampling_of(keys) == Resampling::systematic) return replicas;
  Index target = replicas;
  while (target > 0 && target + tempering::spare_replicas(target) > replicas) --target;
  return target;
}

/// The average over all families, by blocks of families.
Averaging averaging_over(const Population& population) {
  const auto of_means = [&population](const std::vector<Means>& columns,
                                      const DerivedQuantity& quantity) {
    return population.estimate(columns, [&](Means means, double) { return quantity(means); });
  };
  return {[&population](Means x) {
            return population.estimate({x}, [](Means means, double) { return means[0]; });
          },
          of_means, of_means};
}

/// The first replicas' numbers by component. @param values [replica][component]
std::vector<std::vector<double>> columns_of(const std::vector<double>& values, Index components,
                                            Index replicas) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(components));
  for (Index n = 0; n < replicas * components; ++n)
    columns[static_cast<std::size_t>(n % components)].push_back(
        values[static_cast<std::size_t>(n)]);
  return columns;
}

std::vector<double> lengths_of(const std::vector<std::vector<double>>& components) {
  std::vector<double> lengths;
  for (std::size_t r = 0; r < components[0].size(); ++r) {
    double square = 0;
    for (const std::vector<double>& component : components) square += component[r] * component[r];
    lengths.push_back(std::sqrt(square));
  }
  return lengths;
}

}  // namespace

MeasureContext measure_context(const PopulationKeys& keys, const ReadContext& context) {
  return measured_sweeps(keys.kind, keys.sweeps, keys.sweeps, keys.where, context);
}

PopulationStage::PopulationStage(const PopulationKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                                 Measurements others, const ReadContext& context)
    : ThermalStage(std::move(sampler), {}, context),
      keys_(keys),
      cooling_(Cooling::of(keys.temperature, context)),
      others_(std::move(others)) {
  require_configuration_series(others_, keys_.kind, "of a population", keys_.where.of("measure"));
  temperatures_ = cooling_.temperatures;
  // If steps are chosen during the stage, the last member is the next temperature.
  if (temperatures_.empty()) temperatures_ = {cooling_.last};
}

double PopulationStage::updates_on(const SystemSize& system) const {
  double points = static_cast<double>(temperatures_.size());
  if (cooling_.overlap) {
    // The energies of N sites with the specific heat C scatter by sqrt(N C) k_B T. A step of beta
    // has the overlap erfc(step sqrt(N C) / (2 sqrt(2) beta)). The number of steps follows for C of
    // about 2 k_B at all temperatures.
    const double overlap = std::clamp(*cooling_.overlap, 1e-3, 1 - 1e-3);
    double step = 0;
    while (std::erfc(step / (2 * std::numbers::sqrt2)) > overlap) step += 0.01;
    points = std::sqrt(2 * static_cast<double>(system.movable)) / step + 1;
  }
  return points * updates_per_site();
}

double PopulationStage::updates_per_site() const {
  return static_cast<double>(keys_.sweeps) * updates_per_sweep();
}

std::string PopulationStage::plan() const {
  const std::string steps = cooling_.overlap
                                ? "steps of overlap " + number_text(*cooling_.overlap)
                                : std::to_string(temperatures_.size()) + " temperature(s) from " +
                                      number_text(temperatures_.front());
  return steps + " to " + number_text(cooling_.last) + ", " + std::to_string(keys_.sweeps) +
         " sweeps each (" + sampler_->description() + "), " + keys_.resampling + " copies";
}

PopulationRule PopulationStage::rule(Index replicas) const {
  return {keys_.population.value_or(most_of_population(keys_, replicas)), replicas,
          resampling_of(keys_)};
}

void PopulationStage::validate(const Sizing& sizing) const {
  ThermalStage::validate(sizing);
  others_.validate(sizing);
  if (sizing.replicas != sizing.all_replicas)
    throw InputError(
        "a population is copied within one rank, and the replicas of this study lie on several "
        "ranks",
        keys_.where.of("kind"), "start one rank");
  constexpr Index fewest = 20;
  const Index most = most_of_population(keys_, sizing.replicas);
  if (most < fewest)
    throw InputError("a population has " + std::to_string(fewest) +
                         " replicas or more, and there is room for " + std::to_string(most),
                     keys_.where.of("kind"), "give more replicas at the top of the study");
  if (keys_.population.value_or(most) <= most) return;
  const bool changes = resampling_of(keys_) == Resampling::nearest_integer;
  throw InputError(
      "replicas = " + std::to_string(sizing.replicas) + " allows a population of at most " +
          std::to_string(most) + (changes ? ", as its size changes" : "") + ", not " +
          std::to_string(*keys_.population),
      keys_.where.of("population"),
      changes ? "give more replicas, a smaller population, or resampling = \"systematic\""
              : "give more replicas, or a smaller population");
}

StageBytes PopulationStage::forecast(const Sizing& sizing) const {
  StageBytes bytes = forecast_of_samples(sizing, 1);
  // Each replica has energies, weights, numbers of copies, families, and sources of copies.
  Index numbers = 12;
  for (const SeriesMeasurement* const measurement : series_of(others_))
    numbers += 2 * measurement->numbers(sizing);
  bytes.host += 8 * static_cast<double>(numbers) * static_cast<double>(sizing.replicas);
  return bytes;
}

void PopulationStage::require_beginning(const Simulation& simulation, bool) const {
  if (!simulation.system.replicas_differ() || simulation.study.samples == 1) return;
  throw InputError(
      "the replicas of a population are copies of one another, but here their quenched disorder "
      "differs",
      keys_.where.of("kind"),
      "set samples = 1 at the top of the study; to cool a population for each of several samples, "
      "write a [[scan]] over disorder_seed");
}

void PopulationStage::prepare(Simulation& simulation) {
  population_.emplace(rule(simulation.study.replicas), simulation.study.seed);
  others_.prepare(simulation);
  ThermalStage::prepare(simulation);
}

double PopulationStage::inverse_temperature(Index point) const {
  return 1 / (context_.constants.k_B * temperatures_[static_cast<std::size_t>(point)]);
}

StageProgress PopulationStage::advance(Simulation& simulation, ResultsGroup& results) {
  if (sweeps_done_ == 0) cool(simulation);
  // A tuning that follows the state during measurements would break detailed balance. So the
  // sampler adapts only in the first half of the sweeps.
  const Index half = keys_.sweeps / 2;
  const bool adapts = sweeps_done_ < half;
  const Index round = std::min(tuning_round, (adapts ? half : keys_.sweeps) - sweeps_done_);
  if (adapts) {
    ensemble_->tune(round);
  } else {
    if (sweeps_done_ == half) ensemble_->reset_acceptance();
    ensemble_->run(round);
  }
  sweeps_done_ += round;
  if (sweeps_done_ == keys_.sweeps) end_point(simulation, results);
  return {work_of(simulation, static_cast<double>(round) * updates_per_sweep()), all_points_done()};
}

ThermalSeries PopulationStage::members() const {
  ThermalSeries own = series_;
  own.replicas = population_->size();
  const auto count = static_cast<std::size_t>(own.replicas);
  own.energy.resize(count);
  for (std::vector<double>& component : own.order) component.resize(count);
  return own;
}

void PopulationStage::choose_temperature(std::span<const double> energies, double beta) {
  // The study may give the first temperature. Only later temperatures are chosen here.
  if (!cooling_.overlap || (point_ == 0 && !cooling_.temperatures.empty())) return;
  const double beta_last = 1 / (context_.constants.k_B * cooling_.last);
  const double most = beta_last - beta;
  const double rise = population_->step_of_overlap(*cooling_.overlap, energies, most);
  if (rise < most) temperatures_.back() = 1 / (context_.constants.k_B * (beta + rise));
  if (rise < most && temperatures_.size() == most_temperatures)
    throw InputError("a million steps of temperature do not reach " + number_text(cooling_.last),
                     keys_.where.of("temperature"), "give a smaller overlap, or fewer sites");
}

void PopulationStage::cool(Simulation& simulation) {
  if (point_ == 0) {
    log_states_ = ensemble_->begin_at_infinite_temperature();
    measure(simulation);
    finish_measurements();
  }
  std::vector<double> energies = members().energy;
  const auto N = static_cast<double>(simulation.system.size().movable);
  for (double& e : energies) e *= N;
  const double beta = point_ == 0 ? 0 : inverse_temperature(point_ - 1);
  choose_temperature(energies, beta);
  const double rise = inverse_temperature(point_) - beta;
  overlap_ = population_->overlap(energies, rise);
  const std::vector<Index> source = population_->resample(energies, rise, simulation.system.step++);
  const std::vector<ReplicaCopy> copies = copies_of(source);
  ensemble_->copy_replicas(copies);
  series_.clear();
  set_point();
}

void PopulationStage::end_point(Simulation& simulation, ResultsGroup& results) {
  measure(simulation);
  finish_measurements();
  const ThermalSeries own = members();
  results.append("temperature", {temperatures_[static_cast<std::size_t>(point_)]}, {},
                 inner_unit(Dimension::temperature, context_.units));
  write_averages(simulation, own, results);
  write_others(simulation, results);
  write_population(results);
  lowest_.record(simulation, *ensemble_, own.energy,
                 temperatures_[static_cast<std::size_t>(point_)], results);
  last_energies_ = own.energy;
  sweeps_done_ = 0;
  if (cooling_.overlap && temperatures_.back() > cooling_.last)
    temperatures_.push_back(cooling_.last);
  ++point_;
}

void PopulationStage::write_averages(const Simulation& simulation, const ThermalSeries& own,
                                     ResultsGroup& results) const {
  const double kT = 1 / inverse_temperature(point_);
  const auto N = static_cast<double>(simulation.system.size().movable);
  const std::string energy_unit = inner_unit(Dimension::energy, context_.units);
  const Averaging rules = averaging_over(*population_);
  for (const NamedEstimate& average :
       thermal_averages(own, ensemble_->order_parameter(), ensemble_->energy_name(),
                        {kT, simulation.system.size().movable, 0, energy_unit}, rules))
    append_estimate(results, average.name, average.estimate, average.unit);
  append_estimate(
      results, "free_energy",
      population_->estimate(
          {}, [&](Means, double log_ratio) { return -kT * (log_states_ + log_ratio) / N; }),
      energy_unit);
  append_estimate(results, "entropy",
                  population_->estimate({own.energy},
                                        [&](Means means, double log_ratio) {
                                          return means[0] / kT + (log_states_ + log_ratio) / N;
                                        }),
                  "k_B");
  for (SamplerNumber& number : ensemble_->sampler_numbers()) {
    number.values.resize(own.energy.size());
    append_estimate(results, number.name, rules.mean(number.values), number.unit);
  }
}

void PopulationStage::write_others(const Simulation& simulation, ResultsGroup& results) const {
  const MeasuredPoint point{point_, temperatures_[static_cast<std::size_t>(point_)]};
  for (SeriesMeasurement* const measurement : series_of(others_)) {
    std::vector<std::vector<double>> numbers;
    for (Pending& part : measurement->begin(simulation)) numbers.push_back(part.take());
    const auto values = measurement->finish(simulation, std::move(numbers));
    // The series has as many samples as there are blocks of families.
    MeasuredSeries series;
    series.replicas = 1;
    series.point = point;
    const std::vector<Observable>& observables = std::as_const(*measurement).known();
    for (std::size_t n = 0; n < values.size(); ++n) {
      const Columns components =
          columns_of(values[n], observables[n].components, population_->size());
      series.averages.push_back(append_averages_of(observables[n], components, results));
      Columns blocks;
      for (const std::vector<double>& component : components)
        blocks.push_back(population_->pseudovalues(component));
      std::vector<double>& samples = series.values.emplace_back();
      for (std::size_t b = 0; b < blocks[0].size(); ++b)
        for (const std::vector<double>& of_component : blocks) samples.push_back(of_component[b]);
    }
    measurement->write_derived(simulation, series, results);
  }
}

/// Appends the mean of a number, the ratio of means of a ratio, or the mean length of a vector.
Estimate PopulationStage::append_averages_of(const Observable& observable,
                                             const Columns& components,
                                             ResultsGroup& results) const {
  const Averaging rules = averaging_over(*population_);
  const bool is_vector = observable.components == 3;
  const Estimate average = observable.components == of_ratio
                               ? rules.of_means({components[0], components[1]},
                                                [](Means means) { return means[0] / means[1]; })
                               : rules.mean(is_vector ? lengths_of(components) : components[0]);
  append_estimate(results, observable.name, average, observable.unit);
  for (std::size_t c = 0; is_vector && c < components.size(); ++c)
    append_estimate(results, observable.name + "_" + "xyz"[c], rules.mean(components[c]),
                    observable.unit);
  return average;
}

void PopulationStage::write_population(ResultsGroup& results) const {
  const tempering::FamilyStatistics families = population_->families();
  const auto append = [&](const std::string& name, double value) {
    results.append("population/" + name, {value}, {}, "");
  };
  append("size", static_cast<double>(population_->size()));
  append("families", static_cast<double>(families.families));
  append("largest_family", static_cast<double>(families.largest));
  append("mean_square_family_size", families.mean_square_size);
  append("entropic_family_size", families.entropic_size);
  append("overlap", overlap_);
}

void PopulationStage::write_lowest(ResultsGroup& results) {
  std::vector<Index> replicas;
  for (std::size_t r = 0; r < last_energies_.size(); ++r)
    if (lowest_.has(last_energies_[r])) replicas.push_back(static_cast<Index>(r));
  const Index families = population_->families_of(replicas);
  const std::string unit = inner_unit(Dimension::energy, context_.units);
  lowest_.write(std::ssize(replicas), unit, results);
  results.set_attribute("lowest-state", "families", families);
  note_ = "lowest energy " + number_text(lowest_.energy()) + (unit.empty() ? "" : " " + unit) +
          " a site; " + std::to_string(replicas.size()) + " of " +
          std::to_string(population_->size()) + " replicas, of " + std::to_string(families) +
          (families == 1 ? " family," : " families,") + " have this energy at the last temperature";
}

void PopulationStage::finish(Simulation& simulation, ResultsGroup& results) {
  write_lowest(results);
  // Members of the population fill all replicas, so that later stages find them in equilibrium.
  std::vector<Index> source(static_cast<std::size_t>(simulation.study.replicas));
  for (std::size_t r = 0; r < source.size(); ++r)
    source[r] = static_cast<Index>(r) % population_->size();
  ensemble_->copy_replicas(copies_of(source));
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, keys_.keep_configurations, results);
}

std::vector<std::pair<std::string, std::string>> PopulationStage::latest() const {
  std::vector<std::pair<std::string, std::string>> words = ThermalStage::latest();
  if (population_) words.emplace_back("replicas", std::to_string(population_->size()));
  return words;
}

StageMemory PopulationStage::save() const {
  StageMemory memory = ThermalStage::save();
  const Population::State& state = population_->state();
  memory.integers["families"] = state.family;
  memory.numbers["log_ratio"] = {state.log_ratio, state.least_overlap};
  memory.numbers["log_ratio_without"] = state.log_ratio_without;
  memory.numbers["temperatures"] = temperatures_;
  memory.numbers["step"] = {log_states_, overlap_};
  memory.numbers["last_energies"] = last_energies_;
  lowest_.save(memory);
  return memory;
}

void PopulationStage::load(const StageMemory& memory) {
  temperatures_ = memory.number("temperatures");
  ThermalStage::load(memory);
  Population::State state;
  state.family = memory.integer("families");
  state.log_ratio = memory.number("log_ratio").at(0);
  state.least_overlap = memory.number("log_ratio").at(1);
  state.log_ratio_without = memory.number("log_ratio_without");
  population_->set_state(std::move(state));
  log_states_ = memory.number("step").at(0);
  overlap_ = memory.number("step").at(1);
  last_energies_ = memory.number("last_energies");
  lowest_.load(memory);
}

}  // namespace larmor::study
