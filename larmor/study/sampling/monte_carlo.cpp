#include "larmor/study/sampling/monte_carlo.hpp"

#include <algorithm>

#include "larmor/study/measurements/series.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Rounds of tuning beyond the thermalisation asked for, before a cone that accepts too little is
/// taken as it is.
constexpr Index most_extra_rounds = 200;

}  // namespace

MeasureContext measure_context(const MonteCarloKeys& keys, const ReadContext& context) {
  return measured_sweeps(keys.kind, keys.sweeps, keys.measure_every, keys.where, context);
}

MonteCarloStage::MonteCarloStage(const MonteCarloKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                                 Measurements beside, bool has_temperature,
                                 const ReadContext& context)
    : ThermalStage(std::move(sampler),
                   read_temperatures(keys.temperature, context,
                                     "for the ground state, anneal to a small temperature"),
                   context),
      keys_(keys),
      has_temperature_(has_temperature),
      beside_(std::move(beside)) {}

double MonteCarloStage::updates_per_site() const {
  return static_cast<double>(temperatures_.size()) *
         static_cast<double>(keys_.thermalisation + keys_.sweeps) * updates_per_sweep();
}

std::string MonteCarloStage::plan() const {
  const std::string points =
      has_temperature_ ? std::to_string(temperatures_.size()) + " temperature(s), " : "";
  return points + std::to_string(keys_.thermalisation) + " + " + std::to_string(keys_.sweeps) +
         " sweeps" + (has_temperature_ ? " each" : "") + " (" + sampler_->words() +
         "), measured every " + std::to_string(keys_.measure_every) + beside_.plan();
}

void MonteCarloStage::validate(const Sizing& sizing) const {
  ThermalStage::validate(sizing);
  beside_.validate(sizing);
}

StageBytes MonteCarloStage::forecast(const Sizing& sizing) const {
  StageBytes bytes = forecast_of_samples(sizing, keys_.sweeps / keys_.measure_every + 1);
  bytes += beside_.forecast(sizing);
  if (keys_.trajectory_every > 0) bytes.host += trajectory_bytes(sizing, keys_.keep_configurations);
  return bytes;
}

double MonteCarloStage::seconds_per_update(Simulation& simulation) {
  const double of_sampler = ThermalStage::seconds_per_update(simulation);
  const double sampled =
      static_cast<double>(keys_.sweeps) / static_cast<double>(keys_.thermalisation + keys_.sweeps);
  return of_sampler + sampled *
                          beside_.seconds_per_step(simulation, keys_.sweeps, keys_.measure_every) /
                          updates_per_sweep();
}

void MonteCarloStage::prepare(Simulation& simulation) {
  beside_.prepare(simulation);
  ThermalStage::prepare(simulation);
}

Portion MonteCarloStage::advance(Simulation& simulation, ResultsGroup& results) {
  const Index sweeps = thermalised_ ? sample(simulation, results) : thermalise();
  return {work_of(simulation, static_cast<double>(sweeps) * updates_per_sweep()),
          all_points_done()};
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

/// The sweep after which something is measured next.
Index MonteCarloStage::next_stop() const {
  const Index every = keys_.measure_every;
  return beside_.next(sweeps_done_, std::min((sweeps_done_ / every + 1) * every, keys_.sweeps));
}

Index MonteCarloStage::sample(Simulation& simulation, ResultsGroup& results) {
  const Index round = next_stop() - sweeps_done_;
  ensemble_->run(round);
  sweeps_done_ += round;
  const Instant now{sweeps_done_, static_cast<double>(point_ * keys_.sweeps + sweeps_done_),
                    "sweeps"};
  beside_.sample_in_turn(simulation, now, queue_, results);
  const bool last = sweeps_done_ == keys_.sweeps;
  if (sweeps_done_ % keys_.measure_every != 0 && !last) return round;
  take(simulation);
  // Sums of every site may wait for a GPU: they come last.
  beside_.sample_with_stage(simulation, now, queue_, results);
  const Index sample = (sweeps_done_ + keys_.measure_every - 1) / keys_.measure_every;
  if (keys_.trajectory_every > 0 && sample % keys_.trajectory_every == 0)
    append_trajectory(results, simulation, keys_.keep_configurations,
                      {now.step, now.time, now.time_unit});
  if (!last) return round;
  settle();
  append_series_of_point(results);
  beside_.write(simulation, MeasuredPoint{point_, temperatures_[static_cast<std::size_t>(point_)]},
                results);
  finish_point(simulation, results);
  thermalised_ = false;
  return round;
}

void MonteCarloStage::append_series_of_point(ResultsGroup& results) const {
  const OrderParameter& order = ensemble_->order_parameter();
  const ThermalSeries series = series_of_all_ranks();
  const Index replicas = series.replicas;
  SampledAt when;
  when.point = point_;
  for (Index n = 1; n <= series.samples(); ++n)
    when.steps.push_back(static_cast<double>(std::min(n * keys_.measure_every, keys_.sweeps)));
  std::vector<double> m;
  for (std::size_t i = 0; i < series.energy.size(); ++i)
    for (const std::vector<double>& component : series.order) m.push_back(component[i]);
  append_series(results, ensemble_->energy_name().name, series.energy, {replicas},
                inner_unit(Dimension::energy, context_.units), when);
  append_series(results, order.name, std::move(m),
                order.components == 1 ? std::vector<Index>{replicas}
                                      : std::vector<Index>{replicas, order.components},
                order.unit, when);
}

void MonteCarloStage::finish(Simulation& simulation, ResultsGroup& results) {
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, keys_.keep_configurations, results);
}

void MonteCarloStage::settle() {
  ThermalStage::settle();
  beside_.settle();
}

StageMemory MonteCarloStage::save() const {
  StageMemory memory = ThermalStage::save();
  memory.integers["phase"] = {thermalised_ ? 1 : 0, extra_rounds_};
  beside_.save(memory, *ranks_);
  return memory;
}

void MonteCarloStage::load(const StageMemory& memory) {
  ThermalStage::load(memory);
  thermalised_ = memory.integer("phase").at(0) != 0;
  extra_rounds_ = memory.integer("phase").at(1);
  beside_.load(memory, *ranks_);
}

}  // namespace larmor::study
