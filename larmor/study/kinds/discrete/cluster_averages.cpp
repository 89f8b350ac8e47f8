#include "larmor/study/kinds/discrete/cluster_averages.hpp"

#include <bit>
#include <cmath>

#include "larmor/study/kinds/discrete/discrete_bonds.hpp"
#include "larmor/study/kinds/discrete/discrete_system.hpp"

namespace larmor::study {
namespace {

/// Sizes 2^k to 2^(k+1) - 1, up to that of all sites.
Index bins_of(Index sites) { return std::bit_width(static_cast<std::uint64_t>(sites)); }

constexpr Index before_bins = 2;  ///< number of clusters, and the largest one

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.error *= factor;
  return estimate;
}

}  // namespace

ClusterAverages::ClusterAverages(const char* what, bool by_size, const MeasureContext& context,
                                 SourcePosition where)
    : Measurement(what, Value(what), std::nullopt),
      by_size_(by_size),
      by_wolff_(context.sampler == "wolff"),
      samples_(context.steps / context.every + 1),
      where_(std::move(where)) {
  if (!by_wolff_ && context.sampler != "swendsen-wang")
    throw InputError(std::string(what) + " needs clusters, but the sampler is " + context.sampler,
                     where_, "use sampler = \"swendsen-wang\" or \"wolff\", or leave it out");
}

StageBytes ClusterAverages::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  bytes.host = BinnedNumbers::bytes(numbers(sizing.system.sites), sizing.replicas, samples_);
  return bytes;
}

void ClusterAverages::prepare(const Simulation& simulation) {
  ClusterCensus& census = discrete_system(simulation).census;
  census.is_wanted = true;
  census.by_size = census.by_size || by_size_;
  averages_.begin(numbers(simulation.system.size().sites), simulation.ranks.share().count);
}

void ClusterAverages::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                             ResultsGroup&) {
  const std::vector<clusters::ClusterSums>& sums = discrete_system(simulation).census.sums;
  const Index sites = simulation.system.size().sites;
  const auto count = static_cast<std::size_t>(numbers(sites));
  std::vector<double> of_replicas(count * sums.size());
  for (std::size_t r = 0; r < sums.size(); ++r)
    look(sums[r], sites, of_replicas.data() + r * count);
  averages_.add(of_replicas);
}

void ClusterAverages::write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                            ResultsGroup& results) {
  const std::vector<Estimate> averages =
      averages_.averages(simulation.ranks, simulation.system.replicas_differ());
  const Index sites = simulation.system.size().sites;
  averages_.begin(numbers(sites), simulation.ranks.share().count);
  if (simulation.ranks.is_root()) write_averages(averages, sites, *point, results);
}

Index ClusterSizes::numbers(Index sites) const { return before_bins + bins_of(sites); }

void ClusterSizes::look(const clusters::ClusterSums& clusters, Index sites,
                        double* of_sample) const {
  const auto N = static_cast<double>(sites);
  const double all = by_wolff() ? static_cast<double>(clusters.clusters) : N;
  of_sample[0] = static_cast<double>(clusters.clusters) / N;
  of_sample[1] = static_cast<double>(clusters.largest) / N;
  for (Index k = 0; k < bins_of(sites); ++k)
    of_sample[before_bins + k] =
        static_cast<double>(clusters.histogram[static_cast<std::size_t>(k)]) / all;
}

void ClusterSizes::write_averages(const std::vector<Estimate>& averages, Index sites,
                                  const MeasuredPoint& point, ResultsGroup& results) const {
  if (!by_wolff()) append_estimate(results, "clusters", averages[0], "");
  append_estimate(results, "largest_cluster", averages[1], "");
  const Index bins = bins_of(sites);
  std::vector<double> value, error, reliable, size;
  for (Index k = 0; k < bins; ++k) {
    const Estimate& average = averages[static_cast<std::size_t>(before_bins + k)];
    value.push_back(average.value);
    error.push_back(average.error);
    reliable.push_back(average.reliable ? 1 : 0);
    size.push_back(std::ldexp(1.0, static_cast<int>(k)));
  }
  const std::string group = std::string(name) + "/";
  results.append(group + "temperature", {point.temperature}, {}, "");
  results.append(group + "value", std::move(value), {bins}, "");
  results.append(group + "error", std::move(error), {bins}, "");
  results.append(group + "reliable", std::move(reliable), {bins}, "");
  if (point.number > 0) return;
  results.write(group + "size", std::move(size), {bins}, "");
  results.set_attribute(name, "normalisation",
                        std::string(by_wolff() ? "share of the clusters that were grown"
                                               : "clusters of all sites, per site"));
}

void ImprovedSusceptibility::validate(const Sizing& sizing) const {
  for (const ScalarExchange& exchange : discrete_tables(sizing.study).exchange)
    if (!(least_coupling(exchange) >= 0))
      throw InputError(std::string(name) + " needs couplings that are not negative", where(),
                       "clusters of equal states sum to m^2 only there; leave it out");
}

void ImprovedSusceptibility::look(const clusters::ClusterSums& clusters, Index sites,
                                  double* of_sample) const {
  of_sample[0] = by_wolff() ? clusters.wolff_order_squared(sites) : clusters.order_squared(sites);
}

void ImprovedSusceptibility::write_averages(const std::vector<Estimate>& averages, Index sites,
                                            const MeasuredPoint& point,
                                            ResultsGroup& results) const {
  append_estimate(results, "improved_magnetisation_squared", averages[0], "");
  append_estimate(results, "improved_susceptibility",
                  scaled(averages[0], static_cast<double>(sites) / point.temperature), "");
}

}  // namespace larmor::study
