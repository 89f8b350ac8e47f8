#include "larmor/study/stages/monte_carlo.hpp"

#include <algorithm>

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Rounds of tuning beyond the thermalisation asked for, before a cone that accepts too little is
/// taken as it is.
constexpr Index most_extra_rounds = 200;

std::vector<double> temperatures_of(const Value& value, const ReadContext& context) {
  if (value.is_table())
    return read_value<TemperatureRange>(value, "temperature", Dimension::none, context)
        .temperatures();
  const auto list =
      read_value<std::vector<double>>(value, "temperature", Dimension::temperature, context);
  if (list.empty())
    throw InputError("temperature is an empty list", value.where(),
                     "give at least one temperature");
  for (const double t : list)
    if (t <= 0)
      throw InputError("temperature must be positive, not " + number_text(t), value.where(),
                       "for the ground state, anneal to a small temperature");
  return list;
}

/// What has no rhythm of its own follows that of the stage, which is looked at first.
MonteCarloTable completed_by_rhythm(MonteCarloTable table) {
  if (table.measure_every > table.sweeps)
    throw InputError("monte-carlo measures every " + std::to_string(table.measure_every) +
                         " sweeps, but makes only " + std::to_string(table.sweeps),
                     table.where.of("measure_every"),
                     "give a measure_every of at most sweeps, or more sweeps");
  for (SampledTable& m : table.measure) m.every = m.every.value_or(table.measure_every);
  return table;
}

}  // namespace

MonteCarloStage::MonteCarloStage(const Table& table, const ReadContext& context)
    : ThermalStage(table, temperatures_of(table.temperature, context), context),
      table_(completed_by_rhythm(table)),
      sites_(names_of(table.measure)),
      structure_factors_(table_.measure, table_.sweeps) {}

std::vector<std::string> MonteCarloStage::extra_measurements() const {
  std::vector<std::string> extra;
  for (const SampledTable& m : table_.measure)
    if (const std::string& what = m.what;
        what != "energy" && what != "magnetisation" && !SiteAverages::is_one(what) &&
        !m.is_structure_factor() && std::find(extra.begin(), extra.end(), what) == extra.end())
      extra.push_back(what);
  return extra;
}

double MonteCarloStage::updates_per_spin() const {
  return static_cast<double>(temperatures_.size()) *
         static_cast<double>(table_.thermalisation + table_.sweeps) * updates_per_sweep();
}

std::string MonteCarloStage::plan() const {
  return std::to_string(temperatures_.size()) + " temperature(s), " +
         std::to_string(table_.thermalisation) + " + " + std::to_string(table_.sweeps) +
         " sweeps each (" + sampler_words() + "), measured every " +
         std::to_string(table_.measure_every) + structure_factors_.plan();
}

double MonteCarloStage::extra_bytes(const Study& study, const lattice::Geometry& geometry) const {
  for (const SampledTable& m : table_.measure) require_measurable(m.what, study, geometry, m.where);
  const double samples = static_cast<double>(table_.sweeps / table_.measure_every + 1);
  // Energy and magnetisation, and what is measured beside.
  const auto others = static_cast<double>(
      std::count_if(table_.measure.begin(), table_.measure.end(),
                    [](const SampledTable& m) { return !m.is_structure_factor(); }));
  double doubles = (4 + 3 * others) * samples * static_cast<double>(study.replicas);
  for (const SampledTable& m : table_.measure)
    if (SiteAverages::is_one(m.what)) doubles += SiteAverages::numbers(geometry, study.replicas);
  if (table_.trajectory_every > 0)
    doubles +=
        3 * static_cast<double>(geometry.sites()) * static_cast<double>(table_.keep_configurations);
  return ThermalStage::extra_bytes(study, geometry) + 8 * doubles +
         structure_factors_.extra_bytes(study, geometry);
}

double MonteCarloStage::bytes_of_all_replicas(const Study& study,
                                              const lattice::Geometry& geometry) const {
  structure_factors_.require_replicas(study, geometry);
  return 0;
}

double MonteCarloStage::seconds_per_update(Simulation& simulation) {
  const double of_sampler = ThermalStage::seconds_per_update(simulation);
  const double sampled = static_cast<double>(table_.sweeps) /
                         static_cast<double>(table_.thermalisation + table_.sweeps);
  return of_sampler +
         sampled * structure_factors_.seconds_per_sweep(simulation) / updates_per_sweep();
}

void MonteCarloStage::prepare(Simulation& simulation) {
  ThermalStage::prepare(simulation);
  structure_factors_.prepare(simulation);
}

Portion MonteCarloStage::advance(Simulation& simulation, ResultsGroup& results) {
  const Index sweeps = thermalised_ ? sample(simulation, results) : thermalise(simulation);
  return {work_of(simulation, sweeps), all_points_done()};
}

Index MonteCarloStage::thermalise(Simulation& simulation) {
  const Index left = table_.thermalisation - sweeps_done_;
  const bool extra = left <= 0;
  const Index round = extra ? tuning_round : std::min(tuning_round, left);
  if (table_.thermalisation == 0) {
    thermalised_ = true;
    sampler_->reset_acceptance();
    return 0;
  }
  const bool accepts_enough = ranks_->all(sampler_->tune(simulation.state, round));
  sweeps_done_ += round;
  if (extra) ++extra_rounds_;
  if (sweeps_done_ >= table_.thermalisation &&
      (accepts_enough || extra_rounds_ >= most_extra_rounds)) {
    thermalised_ = true;
    sweeps_done_ = 0;
    extra_rounds_ = 0;
    sampler_->reset_acceptance();
  }
  return extra ? 0 : round;
}

/// The sweep after which something is measured next.
Index MonteCarloStage::next_stop() const {
  const Index every = table_.measure_every;
  return structure_factors_.next(sweeps_done_,
                                 std::min((sweeps_done_ / every + 1) * every, table_.sweeps));
}

Index MonteCarloStage::sample(Simulation& simulation, ResultsGroup& results) {
  const Index round = next_stop() - sweeps_done_;
  sampler_->run(simulation.state, round);
  sweeps_done_ += round;
  structure_factors_.take(simulation, sweeps_done_, queue_);
  const bool last = sweeps_done_ == table_.sweeps;
  if (sweeps_done_ % table_.measure_every != 0 && !last) return round;
  measure(simulation);
  sites_.add(simulation);
  const Index sample = (sweeps_done_ + table_.measure_every - 1) / table_.measure_every;
  if (table_.trajectory_every > 0 && sample % table_.trajectory_every == 0)
    append_trajectory(
        results, simulation, table_.keep_configurations,
        {sweeps_done_, static_cast<double>(point_ * table_.sweeps + sweeps_done_), "sweeps"});
  if (!last) return round;
  settle();
  append_series(results);
  structure_factors_.append(simulation, results, point_,
                            temperatures_[static_cast<std::size_t>(point_)]);
  sites_.append(simulation, results);
  finish_point(simulation, results);
  thermalised_ = false;
  return round;
}

void MonteCarloStage::append_series(ResultsGroup& results) const {
  const std::string energy_unit = inner_unit(Dimension::energy, context_.units);
  const std::string moment_unit = inner_unit(Dimension::magnetic_moment, context_.units);
  const ThermalSeries series = series_of_all_ranks();
  const Index replicas = series.replicas;
  const Index samples = series.samples();
  std::vector<double> step, point, m;
  for (Index n = 0; n < samples; ++n) {
    step.push_back(static_cast<double>(std::min((n + 1) * table_.measure_every, table_.sweeps)));
    point.push_back(static_cast<double>(point_));
  }
  for (std::size_t i = 0; i < series.energy.size(); ++i)
    m.insert(m.end(),
             {series.magnetisation_x[i], series.magnetisation_y[i], series.magnetisation_z[i]});
  const auto append = [&](const std::string& name, const std::vector<double>& value,
                          const std::vector<Index>& row, const std::string& unit) {
    results.append("series/" + name + "/value", value, row, unit);
    results.append("series/" + name + "/step", step, {}, "");
    results.append("series/" + name + "/point", point, {}, "");
  };
  append("energy", series.energy, {replicas}, energy_unit);
  append("magnetisation", m, {replicas, 3}, moment_unit);
  for (const ExtraSeries& extra : series.extra)
    append(extra.name, extra.components == of_ratio ? ratios(extra.values) : extra.values,
           extra.components == 3 ? std::vector<Index>{replicas, 3} : std::vector<Index>{replicas},
           extra.unit);
}

void MonteCarloStage::finish(Simulation& simulation, ResultsGroup& results) {
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, table_.keep_configurations, results);
}

StageMemory MonteCarloStage::save() const {
  StageMemory memory = ThermalStage::save();
  memory.integers["phase"] = {thermalised_ ? 1 : 0, extra_rounds_};
  sites_.save(memory, *ranks_);
  structure_factors_.save(memory, *ranks_);
  return memory;
}

void MonteCarloStage::load(const StageMemory& memory) {
  ThermalStage::load(memory);
  thermalised_ = memory.integer("phase").at(0) != 0;
  extra_rounds_ = memory.integer("phase").at(1);
  sites_.load(memory, *ranks_);
  structure_factors_.load(memory, *ranks_);
}

}  // namespace larmor::study
