#include "larmor/study/models/spins/measurements/site_averages.hpp"

#include "larmor/spins/observables/observables.hpp"

namespace larmor::study {
namespace {

/// Adds the sums of the blocks in their order. Any rank may have made a sum.
std::vector<double> sum_over_blocks(const std::vector<double>& of_blocks, Index numbers) {
  const auto width = static_cast<std::size_t>(numbers);
  std::vector<double> sum(of_blocks.begin(), of_blocks.begin() + numbers);
  for (std::size_t i = width; i < of_blocks.size(); ++i) sum[i % width] += of_blocks[i];
  return sum;
}

}  // namespace

SiteAverage::SiteAverage(std::string name, Value completed, std::optional<Index> every,
                         std::string label, Index components)
    : Measurement(std::move(name), std::move(completed), every),
      label_(std::move(label)),
      components_(components) {}

StageBytes SiteAverage::forecast(const Sizing& sizing) const {
  // Memory has the sum, and a sample or the results.
  StageBytes bytes;
  bytes.host = 8 * static_cast<double>(std::max<Index>(components_, 2) * sizing.system.sites) *
               static_cast<double>(SpinLayout{sizing.system.sites, sizing.replicas}.blocks());
  return bytes;
}

void SiteAverage::prepare(const Simulation&) {
  samples_ = 0;
  sum_.clear();
}

void SiteAverage::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                         ResultsGroup&) {
  samples_ += static_cast<double>(simulation.study.replicas);
  add(spins_of(simulation), sum_);
}

void SiteAverage::write(const Simulation& simulation, const std::optional<MeasuredPoint>&,
                        ResultsGroup& results) {
  if (samples_ == 0) return;
  const SpinSimulation spins = spins_of(simulation);
  const Index sites = spins.model.sites();
  std::vector<double> mean =
      sum_over_blocks(simulation.ranks.joined(std::move(sum_)), components_ * sites);
  for (double& x : mean) x /= samples_;
  results.append("sites/" + label_, std::move(mean),
                 components_ == 1 ? std::vector<Index>{sites} : std::vector<Index>{sites, 3},
                 unit(spins));
  prepare(simulation);
}

void SiteAverage::save(StageMemory& memory, const Ranks& ranks) const {
  memory.numbers["sum"] = ranks.joined(sum_);
  memory.numbers["samples"] = {samples_};
}

void SiteAverage::load(const StageMemory& memory, const Ranks& ranks) {
  sum_ = own_blocks(ranks, memory.number("sum"));
  samples_ = memory.number("samples").at(0);
}

StageBytes SiteEnergy::forecast(const Sizing& sizing) const {
  const SpinLayout layout{sizing.system.sites, sizing.replicas};
  StageBytes bytes = SiteAverage::forecast(sizing);
  bytes.device += static_cast<double>(bytes_of_reals(sizing.device.precision, layout.numbers()));
  return bytes;
}

void SiteEnergy::add(const SpinSimulation& simulation, std::vector<double>& sum) const {
  const std::vector<double> values = spins::site_energies(simulation.model, simulation.state);
  sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

std::string SiteEnergy::unit(const SpinSimulation& simulation) const {
  return inner_unit(Dimension::energy, simulation.study.context.units);
}

void SiteSpins::add(const SpinSimulation& simulation, std::vector<double>& sum) const {
  const SpinLayout& layout = simulation.state.layout();
  sum.resize(static_cast<std::size_t>(3 * simulation.model.sites() * layout.blocks()));
  for (Index replica = 0; replica < layout.replicas; ++replica) {
    auto i = static_cast<std::size_t>(replica / lane_count * 3 * simulation.model.sites());
    for (const Vec3<double>& e : simulation.state.configuration(replica)) {
      sum[i++] += e.x;
      sum[i++] += e.y;
      sum[i++] += e.z;
    }
  }
}

}  // namespace larmor::study
