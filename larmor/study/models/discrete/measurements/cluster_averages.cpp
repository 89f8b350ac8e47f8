#include "larmor/study/models/discrete/measurements/cluster_averages.hpp"

#include <bit>
#include <cmath>

#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"

namespace larmor::study {
namespace {

/// The number of bins. Bin k counts clusters of 2^k to 2^(k+1) - 1 sites; the last bin has room for
/// a cluster of all sites.
Index bins_of(Index sites) { return std::bit_width(static_cast<std::uint64_t>(sites)); }

void want_census(const Simulation& simulation, bool by_size) {
  ClusterCensus& census = discrete_system(simulation).census;
  census.is_wanted = true;
  census.by_size = census.by_size || by_size;
}

}  // namespace

StageBytes ClusterSizes::forecast(const Sizing& sizing) const {
  StageBytes bytes = ClusterSeries::forecast(sizing);
  bytes.host += BinnedNumbers::bytes(bins_of(sizing.system.sites), sizing.replicas, samples_);
  return bytes;
}

void ClusterSizes::prepare(const Simulation& simulation) {
  ClusterSeries::prepare(simulation);
  want_census(simulation, true);
  histogram_.begin(bins_of(simulation.system.size().sites), simulation.ranks.share().count);
}

std::vector<Observable> ClusterSizes::observables(const Simulation&) const {
  std::vector<Observable> numbers{{"largest_cluster", "", 1, {}}};
  if (!by_wolff()) numbers.push_back({"clusters", "", 1, {}});
  return numbers;
}

void ClusterSizes::sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
                          ResultsGroup&) {
  announce(now);
  const Index sites = simulation.system.size().sites;
  const auto N = static_cast<double>(sites);
  const auto bins = static_cast<std::size_t>(bins_of(sites));
  std::vector<double> largest, clusters, histogram;
  for (const clusters::ClusterSums& sums : discrete_system(simulation).census.sums) {
    const auto number = static_cast<double>(sums.clusters);
    largest.push_back(static_cast<double>(sums.largest) / N);
    clusters.push_back(number / N);
    for (std::size_t k = 0; k < bins; ++k)
      histogram.push_back(static_cast<double>(sums.histogram[k]) / (by_wolff() ? number : N));
  }
  keep(0, largest.data(), largest.size());
  if (!by_wolff()) keep(1, clusters.data(), clusters.size());
  histogram_.add(histogram);
}

void ClusterSizes::write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                         ResultsGroup& results) {
  ClusterSeries::write(simulation, point, results);
  const std::vector<Estimate> averages =
      histogram_.averages(simulation.ranks, replicas_of_sample(simulation));
  const Index bins = bins_of(simulation.system.size().sites);
  histogram_.begin(bins, simulation.ranks.share().count);
  if (!simulation.ranks.is_root()) return;
  std::vector<double> value, error, reliable, size;
  for (const Estimate& average : averages) {
    size.push_back(std::ldexp(1.0, static_cast<int>(value.size())));
    value.push_back(average.value);
    error.push_back(average.error);
    reliable.push_back(average.reliable ? 1 : 0);
  }
  const std::string group = std::string(name) + "/";
  results.append(group + "temperature", {point->temperature}, {}, "");
  results.append(group + "value", std::move(value), {bins}, "");
  results.append(group + "error", std::move(error), {bins}, "");
  results.append(group + "reliable", std::move(reliable), {bins}, "");
  if (point->number > 0) return;
  results.write(group + "size", std::move(size), {bins}, "");
  results.set_attribute(name, "normalisation",
                        std::string(by_wolff() ? "share of the clusters that were grown"
                                               : "clusters of all sites, per site"));
}

void ClusterSizes::save(StageMemory& memory, const Ranks& ranks) const {
  ClusterSeries::save(memory, ranks);
  histogram_.save(memory, ranks);
}

void ClusterSizes::load(const StageMemory& memory, const Ranks& ranks) {
  ClusterSeries::load(memory, ranks);
  histogram_.load(memory, ranks);
}

void ImprovedSusceptibility::validate(const Sizing& sizing) const {
  for (const ScalarExchange& exchange : discrete_tables(sizing.study).exchange)
    if (!(least_coupling(exchange) >= 0))
      throw InputError(
          std::string(name) + " needs couplings that are not negative", where(),
          "leave the measurement out: only for such couplings do sizes of clusters give <m^2>");
}

void ImprovedSusceptibility::prepare(const Simulation& simulation) {
  ClusterSeries::prepare(simulation);
  want_census(simulation, false);
}

std::vector<Observable> ImprovedSusceptibility::observables(const Simulation&) const {
  return {{"improved_magnetisation_squared", "", 1, {}}};
}

void ImprovedSusceptibility::sample(const Simulation& simulation, const Instant& now,
                                    MeasurementQueue&, ResultsGroup&) {
  announce(now);
  const Index sites = simulation.system.size().sites;
  std::vector<double> m2;
  for (const clusters::ClusterSums& sums : discrete_system(simulation).census.sums)
    m2.push_back(by_wolff() ? sums.wolff_order_squared(sites) : sums.order_squared(sites));
  keep(0, m2.data(), m2.size());
}

void ImprovedSusceptibility::write_derived(const Simulation& simulation,
                                           const MeasuredSeries& series,
                                           ResultsGroup& results) const {
  const auto N = static_cast<double>(simulation.system.size().sites);
  append_estimate(results, "improved_susceptibility",
                  scaled(series.averages[0], N / series.point->temperature), "");
}

}  // namespace larmor::study
