#include "larmor/study/sampling/thermal_stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Number of autocorrelation times after which a start is forgotten.
constexpr double times_to_forget = 10;

}  // namespace

ThermalStage::ThermalStage(std::unique_ptr<SamplerChoice> sampler, std::vector<double> temperatures,
                           const ReadContext& context)
    : sampler_(std::move(sampler)), temperatures_(std::move(temperatures)), context_(context) {}

StageBytes ThermalStage::forecast_of_samples(const Sizing& sizing, Index samples) const {
  // For energy and order parameter, memory has the series, and its copy from all ranks. Averages
  // add powers and fluctuations.
  constexpr Index copies = 2, of_averages = 4;
  const Index doubles = copies * (1 + sampler_->order_components(sizing)) + of_averages;
  StageBytes bytes = sampler_->forecast(sizing);
  bytes.host += 8 * static_cast<double>(doubles * samples) * static_cast<double>(sizing.replicas);
  return bytes;
}

void ThermalStage::prepare(Simulation& simulation) {
  ranks_ = &simulation.ranks;
  ensemble_ = sampler_->make(simulation);
  queue_ = MeasurementQueue(simulation.study.device.queue_bytes());
  longest_time_ = 0;
  series_ = ThermalSeries{};
  series_.replicas = ranks_->share().count;
  series_.order.resize(static_cast<std::size_t>(ensemble_->order_parameter().components));
  set_point();
}

void ThermalStage::finish(Simulation&, ResultsGroup&) { ensemble_->prepare_next_stage(); }

void ThermalStage::set_point() {
  if (all_points_done()) return;
  const double kT = context_.constants.k_B * temperatures_[static_cast<std::size_t>(point_)];
  ensemble_->set_temperatures(std::vector<double>(static_cast<std::size_t>(series_.replicas), kT));
}

void ThermalStage::measure(const Simulation& simulation) {
  queue_.push(ensemble_->begin_measuring(),
              [this, simulation](std::vector<std::vector<double>> numbers) {
                const EnsembleSample sample = ensemble_->finish_measuring(std::move(numbers));
                require_finite_energies(simulation, sample.energy);
                sum_of_energies_ =
                    std::accumulate(sample.energy.begin(), sample.energy.end(), sum_of_energies_);
                energies_ += std::ssize(sample.energy);
                keep(sample);
              });
}

std::vector<double> ThermalStage::present_energies() const {
  std::vector<std::vector<double>> numbers;
  for (Pending& part : ensemble_->begin_measuring()) numbers.push_back(part.take());
  return ensemble_->finish_measuring(std::move(numbers)).energy;
}

bool ThermalStage::measures_energies() const {
  return ensemble_ != nullptr && ensemble_->energy_name().name == EnergyName{}.name;
}

std::vector<double> ThermalStage::energies(const Simulation& simulation) const {
  std::vector<double> all = present_energies();
  for (double& energy : all) energy *= static_cast<double>(simulation.system.size().movable);
  return all;
}

ThermalSeries ThermalStage::series_of_point(const ResultsGroup&) const {
  const auto gathered = [&](const std::vector<double>& values, Index components) {
    return ranks_->gathered(values, ranks_->replicas(), components);
  };
  ThermalSeries all;
  all.replicas = ranks_->gathered_replicas();
  all.energy = gathered(series_.energy, 1);
  for (const std::vector<double>& component : series_.order)
    all.order.push_back(gathered(component, 1));
  return all;
}

void ThermalStage::finish_point(const Simulation& simulation, ResultsGroup& results) {
  finish_measurements();
  const std::vector<Coupling> couplings = ensemble_->couplings();
  if (couplings.empty())
    results.append("temperature", {temperatures_[static_cast<std::size_t>(point_)]}, {},
                   inner_unit(Dimension::temperature, context_.units));
  const Index rungs = simulation.system.rungs();
  ThermalSeries series = series_of_point(results);
  for (Index rung = 0; rung < rungs; ++rung) {
    for (const Coupling& coupling : couplings)
      results.append(coupling.name, {coupling.values[static_cast<std::size_t>(rung)]}, {}, "");
    // Only the root has all samples, and only the root writes.
    if (ranks_->is_root())
      append_averages(simulation, results,
                      at_rung(rungs == 1 ? std::move(series) : series, rung, rungs));
  }
  for (SamplerNumber& number : ensemble_->sampler_numbers()) {
    const std::vector<double> all = ranks_->gathered(std::move(number.values), ranks_->replicas());
    for (Index rung = 0; rung < rungs; ++rung)
      append_estimate(results, number.name,
                      estimate_independent(at_rung(all, std::ssize(all), 1, rung, rungs)),
                      number.unit);
  }
  clear_series();
  sum_of_energies_ = 0;
  energies_ = 0;
  sweeps_done_ = 0;
  ++point_;
  set_point();
}

void ThermalStage::append_averages(const Simulation& simulation, ResultsGroup& results,
                                   ThermalSeries series) {
  const ThermalUnits units{context_.constants.k_B * temperatures_[static_cast<std::size_t>(point_)],
                           simulation.system.size().movable, replicas_of_sample(simulation),
                           inner_unit(Dimension::energy, context_.units)};
  std::vector<NamedEstimate> averages = thermal_averages(
      std::move(series), ensemble_->order_parameter(), ensemble_->energy_name(), units);
  for (NamedEstimate& average : averages) {
    if (const std::optional<Start> begun = start()) {
      const double sweeps =
          average.estimate.autocorrelation_time * static_cast<double>(begun->every);
      const bool is_of_state = average.name == ensemble_->energy_name().name ||
                               average.name == ensemble_->order_parameter().name;
      if (is_of_state && average.estimate.reliable) longest_time_ = std::max(longest_time_, sweeps);
      if (times_to_forget * sweeps > static_cast<double>(begun->thermalisation))
        average.estimate.reliable = false;
    }
    append_estimate(results, average.name, average.estimate, average.unit);
  }
}

std::string ThermalStage::note() const {
  const std::optional<Start> begun = start();
  if (!begun || times_to_forget * longest_time_ <= static_cast<double>(begun->thermalisation))
    return "";
  return fmt::format(
      "thermalisation = {} may be too few sweeps: the energy or the {} has an autocorrelation time "
      "of "
      "{:.3g} sweeps, and the initial state is forgotten after about {:.0f} such times",
      begun->thermalisation, ensemble_->order_parameter().name, longest_time_, times_to_forget);
}

double ThermalStage::work_of(const Simulation& simulation, double updates) {
  return updates * static_cast<double>(simulation.system.size().movable) *
         static_cast<double>(simulation.study.replicas);
}

std::vector<std::pair<std::string, std::string>> ThermalStage::latest() const {
  std::vector<std::pair<std::string, std::string>> words;
  if (all_points_done()) return words;
  const auto text = [](double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.4g", x);
    return std::string(buffer);
  };
  if (ensemble_->couplings().empty())
    words.emplace_back("T", text(temperatures_[static_cast<std::size_t>(latest_point())]));
  if (energies_ > 0)
    words.emplace_back(ensemble_->energy_name().name,
                       text(sum_of_energies_ / static_cast<double>(energies_)));
  return words;
}

StageMemory ThermalStage::save() const {
  StageMemory memory;
  ensemble_->save(memory, *ranks_);
  save_series(memory);
  memory.integers["position"] = {point_, sweeps_done_};
  memory.numbers["longest_time"] = {longest_time_};
  return memory;
}

void ThermalStage::load(const StageMemory& memory) {
  ensemble_->load(memory, *ranks_);
  load_series(memory);
  const std::vector<Index>& position = memory.integer("position");
  longest_time_ = memory.number("longest_time").at(0);
  point_ = position.at(0);
  sweeps_done_ = position.at(1);
  set_point();
}

void ThermalStage::save_series(StageMemory& memory) const {
  const auto gathered = [&](const std::vector<double>& values) {
    return ranks_->gathered(values, ranks_->replicas());
  };
  memory.numbers["energy"] = gathered(series_.energy);
  for (std::size_t c = 0; c < series_.order.size(); ++c)
    memory.numbers[component_name(ensemble_->order_parameter(), c)] = gathered(series_.order[c]);
}

void ThermalStage::load_series(const StageMemory& memory) {
  const auto own = [&](const std::string& name) {
    return ranks_->own_of(memory.number(name), ranks_->replicas());
  };
  series_.energy = own("energy");
  for (std::size_t c = 0; c < series_.order.size(); ++c)
    series_.order[c] = own(component_name(ensemble_->order_parameter(), c));
}

double ThermalStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  const Device& device = simulation.system.device;
  // Clusters and acceptance depend on the temperature.
  const Index last = std::max<Index>(std::ssize(temperatures_), 1) - 1;
  double of_sweep = 0, tried = 0;
  for (const Index point : std::set<Index>{0, last / 2, last}) {
    point_ = point;
    set_point();
    of_sweep += seconds_of_one(device, [&] { ensemble_->run(1); });
    ++tried;
  }
  const double of_measuring = seconds_of_one(device, [&] { present_energies(); });
  return (of_sweep / tried + measurements_per_sweep() * of_measuring) / updates_per_sweep();
}

}  // namespace larmor::study
