#include "larmor/study/kinds/spins/measurements/cluster_averages.hpp"

#include "larmor/study/kinds/spins/system/spin_simulation.hpp"

namespace larmor::study {
namespace {

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.error *= factor;
  return estimate;
}

/// Of the crystal and of what stands in it, vacancies left out; nothing: they differ.
std::optional<double> common_moment(const lattice::Geometry& geometry) {
  std::optional<double> moment;
  const auto is_other = [&](double of) { return of != moment.value_or(of); };
  for (const lattice::BasisAtom& atom : geometry.crystal.basis) {
    if (is_other(atom.moment)) return std::nullopt;
    moment = atom.moment;
  }
  for (const lattice::Substitute& substitute : geometry.substitutes)
    if (substitute.moment > 0 && is_other(substitute.moment)) return std::nullopt;
  return moment;
}

}  // namespace

SpinClusterAverages::SpinClusterAverages(const char* what, const MeasureContext& context,
                                         SourcePosition where)
    : Measurement(what, Value(what), std::nullopt),
      by_wolff_(context.sampler == "wolff"),
      samples_(context.steps / context.every + 1),
      where_(std::move(where)),
      read_(context.read) {
  if (!by_wolff_ && context.sampler != "swendsen-wang")
    throw InputError(std::string(what) + " needs clusters, but the sampler is " + context.sampler,
                     where_, "use sampler = \"swendsen-wang\" or \"wolff\", or leave it out");
}

StageBytes SpinClusterAverages::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  bytes.host = BinnedNumbers::bytes(numbers(), sizing.replicas, samples_);
  return bytes;
}

void SpinClusterAverages::prepare(const Simulation& simulation) {
  spins_of(simulation).clusters.is_wanted = true;
  averages_.begin(numbers(), simulation.ranks.share().count);
}

void SpinClusterAverages::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                                 ResultsGroup&) {
  const SpinClusterCensus& census = spins_of(simulation).clusters;
  const auto count = static_cast<std::size_t>(numbers());
  std::vector<double> of_replicas(count * census.sums.size());
  for (std::size_t r = 0; r < census.sums.size(); ++r)
    look(census.sums[r], census.updates, simulation.system.size().movable,
         of_replicas.data() + r * count);
  averages_.add(of_replicas);
}

void SpinClusterAverages::write(const Simulation& simulation,
                                const std::optional<MeasuredPoint>& point, ResultsGroup& results) {
  const std::vector<Estimate> averages =
      averages_.averages(simulation.ranks, simulation.system.replicas_differ());
  averages_.begin(numbers(), simulation.ranks.share().count);
  if (simulation.ranks.is_root()) write_averages(simulation, averages, *point, results);
}

void SpinClusterSizes::look(const clusters::EmbeddedSums& sums, Index updates, Index spins,
                            double* of_sample) const {
  const auto N = static_cast<double>(spins);
  const double of_update = static_cast<double>(updates);
  of_sample[0] = by_wolff() ? static_cast<double>(sums.clusters.sites) /
                                  (static_cast<double>(sums.clusters.clusters) * N)
                            : static_cast<double>(sums.clusters.clusters) / (of_update * N);
  of_sample[1] = static_cast<double>(sums.clusters.largest) / N;
}

void SpinClusterSizes::write_averages(const Simulation&, const std::vector<Estimate>& averages,
                                      const MeasuredPoint&, ResultsGroup& results) const {
  append_estimate(results, by_wolff() ? "cluster_size" : "clusters", averages[0], "");
  append_estimate(results, "largest_cluster", averages[1], "");
}

void SpinImprovedSusceptibility::validate(const Sizing& sizing) const {
  if (!common_moment(*sizing.system.geometry))
    throw InputError(std::string(name) + " needs equal moments", where(),
                     "clusters sum directions of spins, not moments; leave it out");
}

void SpinImprovedSusceptibility::look(const clusters::EmbeddedSums& sums, Index updates,
                                      Index spins, double* of_sample) const {
  const double all = by_wolff() ? sums.wolff_order_squared(spins, 3) : sums.order_squared(spins, 3);
  of_sample[0] = all / static_cast<double>(updates);
}

void SpinImprovedSusceptibility::write_averages(const Simulation& simulation,
                                                const std::vector<Estimate>& averages,
                                                const MeasuredPoint& point,
                                                ResultsGroup& results) const {
  const double moment = *common_moment(*simulation.system.size().geometry);
  const Constants& constants = read().constants;
  const bool material = read().units == UnitSystem::material;
  const Estimate m2 = scaled(averages[0], moment * moment);
  const double kT = constants.k_B * point.temperature;
  append_estimate(results, "improved_magnetisation_squared", m2, material ? "μB^2" : "");
  append_estimate(
      results, "improved_susceptibility",
      scaled(m2, constants.mu_B * static_cast<double>(simulation.system.size().movable) / kT),
      material ? "μB/T" : "");
}

}  // namespace larmor::study
