#include "larmor/clusters/cluster_sums.hpp"

#include <algorithm>
#include <bit>

namespace larmor::clusters {

void ClusterSums::add_cluster(std::uint64_t size, bool in_histogram) {
  ++clusters;
  sites += size;
  squares += size * size;
  largest = std::max(largest, size);
  if (in_histogram) ++histogram[static_cast<std::size_t>(std::bit_width(size) - 1)];
}

void ClusterSums::add(const ClusterSums& others) {
  clusters += others.clusters;
  sites += others.sites;
  squares += others.squares;
  largest = std::max(largest, others.largest);
  for (std::size_t k = 0; k < histogram.size(); ++k) histogram[k] += others.histogram[k];
}

double ClusterSums::order_squared(Index sites_of_lattice) const {
  const auto N = static_cast<double>(sites_of_lattice);
  if (squares == 0 && clusters > 0) return 1;
  return static_cast<double>(squares) / (N * N);
}

double ClusterSums::wolff_order_squared(Index sites_of_lattice) const {
  return static_cast<double>(sites) /
         (static_cast<double>(clusters) * static_cast<double>(sites_of_lattice));
}

double ReflectionSums::order_squared(Index sites, int components) const {
  const auto V = static_cast<double>(sites);
  return components * projection_squares / (V * V);
}

// A random site is in cluster C with probability |C| / V for V sites, so that sum_C S_C^2 = V
// <S_C^2 / |C|> for any number S_C of a cluster.
double ReflectionSums::wolff_order_squared(Index sites, int components) const {
  return components * projection_squares / static_cast<double>(sites);
}

}  // namespace larmor::clusters
