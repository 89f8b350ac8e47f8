#include "larmor/study/kinds/spins/stages/site_averages.hpp"

#include <algorithm>

#include "larmor/spins/observables/observables.hpp"

namespace larmor::study {
namespace {

void add_to(std::vector<double>& sum, const std::vector<double>& values) {
  sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

/// Blocks one after the other, whichever rank they are of.
std::vector<double> sum_over_blocks(const std::vector<double>& of_blocks, Index numbers) {
  const auto width = static_cast<std::size_t>(numbers);
  std::vector<double> sum(of_blocks.begin(), of_blocks.begin() + numbers);
  for (std::size_t i = width; i < of_blocks.size(); ++i) sum[i % width] += of_blocks[i];
  return sum;
}

void append_mean(const SpinSimulation& simulation, ResultsGroup& results, const std::string& name,
                 std::vector<double>& of_blocks, double samples, const std::vector<Index>& row,
                 const std::string& unit) {
  Index numbers = 1;
  for (const Index extent : row) numbers *= extent;
  std::vector<double> mean =
      sum_over_blocks(simulation.ranks.joined(std::move(of_blocks)), numbers);
  for (double& x : mean) x /= samples;
  results.append("sites/" + name, std::move(mean), row, unit);
  of_blocks.clear();
}

}  // namespace

SiteAverages::SiteAverages(const std::vector<std::string>& measure)
    : of_energy_(std::count(measure.begin(), measure.end(), energy) > 0),
      of_spins_(std::count(measure.begin(), measure.end(), spins) > 0) {}

double SiteAverages::numbers(const lattice::Geometry& geometry, Index replicas) {
  return 3 * static_cast<double>(geometry.sites()) *
         static_cast<double>((replicas + lane_count - 1) / lane_count);
}

double SiteAverages::device_bytes(const SpinLayout& layout, const Device& device) const {
  return of_energy_ ? static_cast<double>(bytes_of_reals(device.precision, layout.numbers())) : 0;
}

void SiteAverages::add(const SpinSimulation& simulation) {
  if (!of_energy_ && !of_spins_) return;
  samples_ += static_cast<double>(simulation.study.replicas);
  if (of_energy_) add_to(energy_sum_, spins::site_energies(simulation.model, simulation.state));
  if (!of_spins_) return;
  const SpinLayout& layout = simulation.state.layout();
  spin_sum_.resize(static_cast<std::size_t>(3 * simulation.model.sites() * layout.blocks()));
  for (Index replica = 0; replica < layout.replicas; ++replica) {
    auto i = static_cast<std::size_t>(replica / lane_count * 3 * simulation.model.sites());
    for (const Vec3<double>& e : simulation.state.configuration(replica)) {
      spin_sum_[i++] += e.x;
      spin_sum_[i++] += e.y;
      spin_sum_[i++] += e.z;
    }
  }
}

void SiteAverages::append(const SpinSimulation& simulation, ResultsGroup& results) {
  if (samples_ == 0) return;
  const Index sites = simulation.model.sites();
  if (of_energy_)
    append_mean(simulation, results, "energy", energy_sum_, samples_, {sites},
                inner_unit(Dimension::energy, simulation.study.context.units));
  if (of_spins_) append_mean(simulation, results, "spins", spin_sum_, samples_, {sites, 3}, "");
  samples_ = 0;
}

void SiteAverages::save(StageMemory& memory, const Ranks& ranks, const std::string& suffix) const {
  memory.numbers["sites_energy" + suffix] = ranks.joined(energy_sum_);
  memory.numbers["sites_spins" + suffix] = ranks.joined(spin_sum_);
  memory.numbers["sites_samples" + suffix] = {samples_};
}

void SiteAverages::load(const StageMemory& memory, const Ranks& ranks, const std::string& suffix) {
  const auto own = [&](const std::string& name) {
    const std::vector<double>& all = memory.number(name + suffix);
    return ranks.own_of(all, ranks.blocks(), static_cast<Index>(all.size()) / ranks.blocks().all);
  };
  energy_sum_ = own("sites_energy");
  spin_sum_ = own("sites_spins");
  samples_ = memory.number("sites_samples" + suffix).at(0);
}

}  // namespace larmor::study
