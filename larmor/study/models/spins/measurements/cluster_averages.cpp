#include "larmor/study/models/spins/measurements/cluster_averages.hpp"

#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {
namespace {

/// The moment that the atoms of the crystal and the substitutes share, where vacancies do not
/// count; nothing: moments differ.
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

void SpinClusterSizes::prepare(const Simulation& simulation) {
  ClusterSeries::prepare(simulation);
  spins_of(simulation).clusters.is_wanted = true;
}

std::vector<Observable> SpinClusterSizes::observables(const Simulation&) const {
  return {{by_wolff() ? "cluster_size" : "clusters", "", 1, {}}, {"largest_cluster", "", 1, {}}};
}

void SpinClusterSizes::sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
                              ResultsGroup&) {
  announce(now);
  const SpinClusterCensus& census = spins_of(simulation).clusters;
  const auto N = static_cast<double>(simulation.system.size().movable);
  const auto updates = static_cast<double>(census.updates);
  std::vector<double> number_or_size, largest;
  for (const clusters::ReflectionSums& sums : census.sums) {
    const auto clusters = static_cast<double>(sums.clusters.clusters);
    number_or_size.push_back(by_wolff() ? static_cast<double>(sums.clusters.sites) / (clusters * N)
                                        : clusters / (updates * N));
    largest.push_back(static_cast<double>(sums.clusters.largest) / N);
  }
  keep(0, number_or_size.data(), number_or_size.size());
  keep(1, largest.data(), largest.size());
}

void SpinImprovedSusceptibility::validate(const Sizing& sizing) const {
  if (!common_moment(*sizing.system.geometry))
    throw InputError(std::string(name) + " needs equal moments", where(),
                     "leave the measurement out: clusters sum directions of spins, not moments");
}

void SpinImprovedSusceptibility::prepare(const Simulation& simulation) {
  ClusterSeries::prepare(simulation);
  spins_of(simulation).clusters.is_wanted = true;
  moment_ = *common_moment(*simulation.system.size().geometry);
}

std::vector<Observable> SpinImprovedSusceptibility::observables(const Simulation&) const {
  return {{"improved_magnetisation_squared", material() ? "μB^2" : "", 1, {}}};
}

void SpinImprovedSusceptibility::sample(const Simulation& simulation, const Instant& now,
                                        MeasurementQueue&, ResultsGroup&) {
  announce(now);
  const SpinClusterCensus& census = spins_of(simulation).clusters;
  const Index spins = simulation.system.size().movable;
  const double of_update = moment_ * moment_ / static_cast<double>(census.updates);
  std::vector<double> m2;
  for (const clusters::ReflectionSums& sums : census.sums)
    m2.push_back(of_update *
                 (by_wolff() ? sums.wolff_order_squared(spins, 3) : sums.order_squared(spins, 3)));
  keep(0, m2.data(), m2.size());
}

void SpinImprovedSusceptibility::write_derived(const Simulation& simulation,
                                               const MeasuredSeries& series,
                                               ResultsGroup& results) const {
  const double kT = read_.constants.k_B * series.point->temperature;
  const auto N = static_cast<double>(simulation.system.size().movable);
  append_estimate(results, "improved_susceptibility",
                  scaled(series.averages[0], read_.constants.mu_B * N / kT),
                  material() ? "μB/T" : "");
}

}  // namespace larmor::study
