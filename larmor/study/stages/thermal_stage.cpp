#include "larmor/study/stages/thermal_stage.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/study/device.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

spins::SamplerSettings settings_of(const SamplerKeys& keys) {
  spins::SamplerSettings settings;
  settings.update =
      keys.sampler == "heat-bath" ? spins::Update::heat_bath : spins::Update::metropolis;
  settings.adaptive_cone = keys.move == "adaptive-cone";
  settings.target_acceptance = keys.target_acceptance;
  settings.over_relaxation = static_cast<int>(keys.over_relaxation);
  return settings;
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

ThermalUnits thermal_units(const ReadContext& context, double temperature,
                           const spins::Model& model) {
  const bool material = context.units == UnitSystem::material;
  ThermalUnits units;
  units.thermal_energy = context.constants.k_B * temperature;
  units.susceptibility_factor = context.constants.mu_B;
  units.spins = model.spins();
  units.replicas_differ = model.differs_by_replica();
  units.energy = material ? "eV" : "";
  units.moment = material ? "μB" : "";
  units.susceptibility = material ? "μB/T" : "";
  return units;
}

}  // namespace

ThermalStage::ThermalStage(const SamplerKeys& keys, std::vector<double> temperatures,
                           const ReadContext& context)
    : keys_(keys), temperatures_(std::move(temperatures)), context_(context) {}

void ThermalStage::prepare(Simulation& simulation) {
  ranks_ = &simulation.ranks;
  sampler_ =
      std::make_unique<spins::Sampler>(simulation.model, settings_of(keys_), simulation.study.seed,
                                       ranks_->share(), simulation.state.device());
  if (tunes_cones() && !simulation.state.cones.empty()) sampler_->set_cones(simulation.state.cones);
  observer_ =
      spins::Observer(simulation.model, simulation.state.layout(), simulation.state.device());
  queue_ = MeasurementQueue(queue_bytes(simulation.study));
  series_ = ThermalSeries{};
  series_.replicas = ranks_->share().count;
  extra_.clear();
  for (const std::string& what : extra_measurements())
    for (Observable& observable : observables_of(what, simulation, context_)) {
      series_.extra.push_back({observable.name, observable.unit, observable.components, {}});
      extra_.push_back(std::move(observable));
    }
  set_point();
}

/// The next stage begins with the cones that this one ends with.
void ThermalStage::finish(Simulation& simulation, ResultsGroup&) {
  if (tunes_cones()) simulation.state.cones = sampler_->cones();
}

void ThermalStage::set_point() {
  if (all_points_done()) return;
  const double kT = context_.constants.k_B * temperatures_[static_cast<std::size_t>(point_)];
  sampler_->set_temperatures(std::vector<double>(static_cast<std::size_t>(series_.replicas), kT));
}

void ThermalStage::measure(const Simulation& simulation) {
  std::vector<Pending> parts;
  for (const Observable& observable : extra_) parts.push_back(observable.measure());
  for (Pending& part : observer_.begin(simulation.state)) parts.push_back(std::move(part));
  queue_.push(std::move(parts), [this, &study = simulation.study, &geometry = simulation.geometry,
                                 &model = simulation.model, &state = simulation.state,
                                 &ranks =
                                     simulation.ranks](std::vector<std::vector<double>> numbers) {
    for (std::size_t n = 0; n < extra_.size(); ++n)
      series_.extra[n].values.insert(series_.extra[n].values.end(), numbers[n].begin(),
                                     numbers[n].end());
    numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(extra_.size()));
    const auto measured = spins::Observer::finish(numbers);
    require_finite_energies({study, geometry, model, state, ranks}, measured.energy);
    series_.add(measured.energy, measured.magnetisation);
  });
}

ThermalSeries ThermalStage::series_of_all_ranks() const {
  const auto gathered = [&](const std::vector<double>& values, Index components) {
    return ranks_->gathered(values, ranks_->replicas(), components);
  };
  ThermalSeries all;
  all.replicas = ranks_->gathered_replicas();
  all.energy = gathered(series_.energy, 1);
  all.magnetisation_x = gathered(series_.magnetisation_x, 1);
  all.magnetisation_y = gathered(series_.magnetisation_y, 1);
  all.magnetisation_z = gathered(series_.magnetisation_z, 1);
  for (const ExtraSeries& extra : series_.extra)
    all.extra.push_back(
        {extra.name, extra.unit, extra.components, gathered(extra.values, extra.components)});
  return all;
}

void ThermalStage::finish_point(const Simulation& simulation, ResultsGroup& results) {
  settle();
  const double temperature = temperatures_[static_cast<std::size_t>(point_)];
  results.append("temperature", {temperature}, {},
                 inner_unit(Dimension::temperature, context_.units));
  const ThermalUnits units = thermal_units(context_, temperature, simulation.model);
  for (const NamedEstimate& average : thermal_averages(series_of_all_ranks(), units))
    append_estimate(results, average.name, average.estimate, average.unit);
  const auto append_mean = [&](const std::string& name, std::vector<double> of_replicas,
                               const std::string& unit) {
    append_estimate(
        results, name,
        estimate_independent(ranks_->gathered(std::move(of_replicas), ranks_->replicas())), unit);
  };
  append_mean("acceptance", sampler_->acceptance(), "");
  if (tunes_cones()) append_mean("cone_angle", sampler_->cone_angles(), "rad");
  series_.clear();
  sweeps_done_ = 0;
  ++point_;
  set_point();
}

double ThermalStage::work_of(const Simulation& simulation, Index sweeps) const {
  return static_cast<double>(sweeps) * updates_per_sweep() *
         static_cast<double>(simulation.model.spins()) *
         static_cast<double>(simulation.study.replicas);
}

std::string ThermalStage::sampler_words() const {
  std::string words = keys_.sampler;
  if (keys_.sampler == "metropolis") words += ", " + keys_.move;
  if (keys_.over_relaxation > 0)
    words += ", " + std::to_string(keys_.over_relaxation) + " over-relaxations a sweep";
  return words;
}

std::vector<std::pair<std::string, std::string>> ThermalStage::latest() const {
  std::vector<std::pair<std::string, std::string>> words;
  if (all_points_done()) return words;
  const auto text = [](double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.4g", x);
    return std::string(buffer);
  };
  words.emplace_back("T", text(temperatures_[static_cast<std::size_t>(point_)]));
  if (!series_.energy.empty()) words.emplace_back("energy", text(mean(series_.energy)));
  return words;
}

StageMemory ThermalStage::save() const {
  StageMemory memory;
  // Cones and counters of replicas, then what they share.
  std::vector<double> sampler = sampler_->save();
  const double shared = sampler.back();
  sampler.pop_back();
  sampler = ranks_->gathered(std::move(sampler), ranks_->padded_replicas());
  sampler.push_back(shared);
  memory.numbers["sampler"] = std::move(sampler);
  ThermalSeries series = series_of_all_ranks();
  memory.numbers["energy"] = std::move(series.energy);
  memory.numbers["magnetisation_x"] = std::move(series.magnetisation_x);
  memory.numbers["magnetisation_y"] = std::move(series.magnetisation_y);
  memory.numbers["magnetisation_z"] = std::move(series.magnetisation_z);
  for (ExtraSeries& extra : series.extra)
    memory.numbers["extra_" + extra.name] = std::move(extra.values);
  memory.integers["position"] = {point_, sweeps_done_};
  return memory;
}

void ThermalStage::load(const StageMemory& memory) {
  std::vector<double> sampler = memory.number("sampler");
  const double shared = sampler.back();
  sampler.pop_back();
  sampler = ranks_->own_of(sampler, ranks_->padded_replicas());
  sampler.push_back(shared);
  sampler_->load(sampler);
  const auto own = [&](const std::string& name, Index components) {
    return ranks_->own_of(memory.number(name), ranks_->replicas(), components);
  };
  series_.energy = own("energy", 1);
  series_.magnetisation_x = own("magnetisation_x", 1);
  series_.magnetisation_y = own("magnetisation_y", 1);
  series_.magnetisation_z = own("magnetisation_z", 1);
  for (ExtraSeries& extra : series_.extra)
    extra.values = own("extra_" + extra.name, extra.components);
  const std::vector<Index>& position = memory.integer("position");
  point_ = position.at(0);
  sweeps_done_ = position.at(1);
  set_point();
}

double ThermalStage::extra_bytes(const Study& study, const lattice::Geometry& geometry) const {
  for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(study.terms))
    if (dipolar.chosen_method(geometry) == "fft")
      throw InputError(
          "Monte Carlo moves one spin at a time, and dipoles by FFT are made for all "
          "at once",
          dipolar.where, "use method = \"bonds\" (small systems) or a cutoff, or a dynamics stage");
  return 0;
}

double ThermalStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  return seconds_of_one(simulation.state.device(), [&] { sampler_->run(simulation.state, 1); }) /
         updates_per_sweep();
}

}  // namespace larmor::study
