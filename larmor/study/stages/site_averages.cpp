#include "larmor/study/stages/site_averages.hpp"

#include <algorithm>

#include "larmor/spins/observables.hpp"

namespace larmor::study {
namespace {

void add_to(std::vector<double>& sum, const std::vector<double>& values) {
  sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

void append_mean(ResultsGroup& results, const std::string& name, std::vector<double>& sum,
                 double samples, const std::vector<Index>& row, const std::string& unit) {
  for (double& x : sum) x /= samples;
  results.append("sites/" + name, sum, row, unit);
  sum.clear();
}

}  // namespace

SiteAverages::SiteAverages(const std::vector<std::string>& measure)
    : of_energy_(std::count(measure.begin(), measure.end(), energy) > 0),
      of_spins_(std::count(measure.begin(), measure.end(), spins) > 0) {}

double SiteAverages::device_bytes(const SpinLayout& layout, const Device& device) const {
  return of_energy_ ? static_cast<double>(bytes_of_reals(device.precision, layout.numbers())) : 0;
}

void SiteAverages::add(const Simulation& simulation) {
  if (!of_energy_ && !of_spins_) return;
  samples_ += static_cast<double>(simulation.study.replicas);
  if (of_energy_) add_to(energy_sum_, spins::site_energies(simulation.model, simulation.state));
  if (!of_spins_) return;
  spin_sum_.resize(static_cast<std::size_t>(3 * simulation.model.sites()));
  for (Index replica = 0; replica < simulation.study.replicas; ++replica) {
    std::size_t i = 0;
    for (const Vec3<double>& e : simulation.state.configuration(replica)) {
      spin_sum_[i++] += e.x;
      spin_sum_[i++] += e.y;
      spin_sum_[i++] += e.z;
    }
  }
}

void SiteAverages::append(const Simulation& simulation, ResultsGroup& results) {
  if (samples_ == 0) return;
  const Index sites = simulation.model.sites();
  if (of_energy_)
    append_mean(results, "energy", energy_sum_, samples_, {sites},
                inner_unit(Dimension::energy, simulation.study.context.units));
  if (of_spins_) append_mean(results, "spins", spin_sum_, samples_, {sites, 3}, "");
  samples_ = 0;
}

void SiteAverages::save(StageMemory& memory, const std::string& suffix) const {
  memory.numbers["sites_energy" + suffix] = energy_sum_;
  memory.numbers["sites_spins" + suffix] = spin_sum_;
  memory.numbers["sites_samples" + suffix] = {samples_};
}

void SiteAverages::load(const StageMemory& memory, const std::string& suffix) {
  energy_sum_ = memory.number("sites_energy" + suffix);
  spin_sum_ = memory.number("sites_spins" + suffix);
  samples_ = memory.number("sites_samples" + suffix).at(0);
}

}  // namespace larmor::study
