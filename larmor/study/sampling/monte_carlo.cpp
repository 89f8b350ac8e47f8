#include "larmor/study/sampling/monte_carlo.hpp"

#include <algorithm>

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Further rounds of tuning after the thermalisation. After these rounds the stage accepts a cone
/// with a low acceptance.
constexpr Index most_extra_rounds = 200;

}  // namespace

MeasureContext measure_context(const MonteCarloKeys& keys, const ReadContext& context) {
  return measured_sweeps(keys.kind, keys.sweeps, *keys.measure_every, keys.where, context);
}

MonteCarloStage::MonteCarloStage(const MonteCarloKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                                 Measurements others, bool has_temperature,
                                 const ReadContext& context)
    : ThermalStage(std::move(sampler),
                   read_temperatures(keys.temperature, context,
                                     "for the ground state, anneal to a small temperature"),
                   context),
      keys_(keys),
      has_temperature_(has_temperature),
      others_(std::move(others)) {}

double MonteCarloStage::updates_per_site() const {
  return static_cast<double>(temperatures_.size()) *
         static_cast<double>(keys_.thermalisation + keys_.sweeps) * updates_per_sweep();
}

std::string MonteCarloStage::plan() const {
  const std::string points =
      has_temperature_ ? std::to_string(temperatures_.size()) + " temperature(s), " : "";
  return points + std::to_string(keys_.thermalisation) + " + " + std::to_string(keys_.sweeps) +
         " sweeps" + (has_temperature_ ? " each" : "") + " (" + sampler_->description() +
         "), measured every " + std::to_string(*keys_.measure_every) + others_.plan();
}

void MonteCarloStage::validate(const Sizing& sizing) const {
  ThermalStage::validate(sizing);
  others_.validate(sizing);
}

StageBytes MonteCarloStage::forecast(const Sizing& sizing) const {
  const Index samples = keys_.sweeps / *keys_.measure_every + 1;
  const Index components = sampler_->order_components(sizing);
  const double of_number =
      8 * static_cast<double>(samples) * static_cast<double>(sizing.all_replicas);
  StageBytes bytes = sampler_->forecast(sizing);
  bytes.samples += static_cast<double>(1 + components) * of_number;
  // At first memory has the order parameter as it is read, and its components. Later it has the
  // components with powers and deviations. The larger number counts.
  bytes.averages = static_cast<double>(std::max(2 * components + 2, components + 5)) * of_number;
  bytes += others_.forecast(sizing);
  if (keys_.trajectory_every > 0) bytes.host += trajectory_bytes(sizing, keys_.keep_configurations);
  return bytes;
}

double MonteCarloStage::seconds_per_update(Simulation& simulation) {
  // Also prepares the measurements.
  const double of_sampler = ThermalStage::seconds_per_update(simulation);
  return of_sampler + measured_share() *
                          others_.seconds_per_step(simulation, keys_.sweeps, *keys_.measure_every,
                                                   Measurements::Tried::samples) /
                          updates_per_sweep();
}

double MonteCarloStage::measured_share() const {
  return static_cast<double>(keys_.sweeps) /
         static_cast<double>(keys_.thermalisation + keys_.sweeps);
}

double MonteCarloStage::measurements_per_sweep() const {
  return measured_share() / static_cast<double>(*keys_.measure_every);
}

void MonteCarloStage::prepare(Simulation& simulation) {
  others_.prepare(simulation);
  ThermalStage::prepare(simulation);
  const OrderParameter& order = ensemble_->order_parameter();
  samples_.begin({{ensemble_->energy_name().name, inner_unit(Dimension::energy, context_.units)},
                  {order.name, order.unit, order.components}},
                 simulation.ranks, "");
}

void MonteCarloStage::keep(const EnsembleSample& sample) {
  samples_.add(0, sample.energy.data(), sample.energy.size());
  samples_.add(1, sample.order.data(), sample.order.size());
}

ThermalSeries MonteCarloStage::series_of_point(const ResultsGroup& results) const {
  ThermalSeries series;
  series.replicas = ranks_->gathered_replicas();
  series.order.resize(static_cast<std::size_t>(ensemble_->order_parameter().components));
  series.energy = samples_.all(0, results);
  const std::vector<double> order = samples_.all(1, results);
  for (std::size_t c = 0; c < series.order.size(); ++c) {
    series.order[c].reserve(order.size() / series.order.size());
    for (std::size_t i = c; i < order.size(); i += series.order.size())
      series.order[c].push_back(order[i]);
  }
  return series;
}

StageProgress MonteCarloStage::advance(Simulation& simulation, ResultsGroup& results) {
  results_ = results;
  const Index sweeps = thermalised_ ? sample(simulation, results) : thermalise();
  return {work_of(simulation, static_cast<double>(sweeps) * updates_per_sweep()), all_points_done(),
          sweeps};
}

Index MonteCarloStage::thermalise() {
  const Index left = keys_.thermalisation - sweeps_done_;
  const bool extra = left <= 0;
  const Index round = extra ? tuning_round : std::min(tuning_round, left);
  if (keys_.thermalisation == 0) {
    thermalised_ = true;
    ensemble_->reset_acceptance();
    return 0;
  }
  const bool accepts_enough = ranks_->all(ensemble_->tune(round));
  sweeps_done_ += round;
  if (extra) ++extra_rounds_;
  if (sweeps_done_ >= keys_.thermalisation &&
      (accepts_enough || extra_rounds_ >= most_extra_rounds)) {
    thermalised_ = true;
    sweeps_done_ = 0;
    extra_rounds_ = 0;
    ensemble_->reset_acceptance();
  }
  return extra ? 0 : round;
}

/// The sweep after which the next measurement is due, or the block ends.
Index MonteCarloStage::next_stop(Index most_sweeps) const {
  const Index every = *keys_.measure_every;
  const Index due = std::min((sweeps_done_ / every + 1) * every, keys_.sweeps);
  return sweeps_done_ + std::min(others_.next(sweeps_done_, due) - sweeps_done_, most_sweeps);
}

Index MonteCarloStage::sample(Simulation& simulation, ResultsGroup& results) {
  const Index round = next_stop(simulation.most_steps) - sweeps_done_;
  ensemble_->run(round);
  sweeps_done_ += round;
  const Instant now{sweeps_done_, static_cast<double>(point_ * keys_.sweeps + sweeps_done_),
                    "sweeps"};
  others_.sample_in_turn(simulation, now, queue_, results);
  const bool last = sweeps_done_ == keys_.sweeps;
  if (sweeps_done_ % *keys_.measure_every != 0 && !last) return round;
  samples_.announce(static_cast<double>(now.step), now.time);
  measure(simulation);
  // Sums of every site may wait for a GPU, so these measurements come last.
  others_.sample_with_stage(simulation, now, queue_, results);
  const Index sample = (sweeps_done_ + *keys_.measure_every - 1) / *keys_.measure_every;
  if (keys_.trajectory_every > 0 && sample % keys_.trajectory_every == 0)
    append_trajectory(results, simulation, keys_.keep_configurations,
                      {now.step, now.time, now.time_unit});
  if (!last) {
    free_stored_if_full();
    return round;
  }
  finish_measurements();
  others_.write(simulation, MeasuredPoint{point_, temperatures_[static_cast<std::size_t>(point_)]},
                results);
  finish_point(simulation, results);
  thermalised_ = false;
  return round;
}

/// Frees samples if they fill the memory that they may use, on all ranks at once.
void MonteCarloStage::free_stored_if_full() {
  if (samples_.bytes() + others_.kept_bytes() < StoredSamples::most_bytes) return;
  finish_measurements();
  samples_.free_stored();
  others_.free_stored();
}

void MonteCarloStage::finish(Simulation& simulation, ResultsGroup& results) {
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, keys_.keep_configurations, results);
}

void MonteCarloStage::finish_measurements() {
  ThermalStage::finish_measurements();
  others_.join_samples();
  if (!results_) return;
  samples_.store(point_, *results_);
  others_.store(point_, *results_);
}

std::optional<StagePlace> MonteCarloStage::place() const {
  const Index done = thermalised_ ? keys_.thermalisation + sweeps_done_
                                  : std::min(sweeps_done_, keys_.thermalisation);
  return StagePlace{point_ * (keys_.thermalisation + keys_.sweeps) + done, std::nullopt, ""};
}

StageMemory MonteCarloStage::save() const {
  StageMemory memory = ThermalStage::save();
  memory.integers["phase"] = {thermalised_ ? 1 : 0, extra_rounds_};
  others_.save(memory, *ranks_);
  return memory;
}

void MonteCarloStage::load(const StageMemory& memory) {
  ThermalStage::load(memory);
  thermalised_ = memory.integer("phase").at(0) != 0;
  extra_rounds_ = memory.integer("phase").at(1);
  others_.load(memory, *ranks_);
}

}  // namespace larmor::study
