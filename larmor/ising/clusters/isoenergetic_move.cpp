#include "larmor/ising/clusters/isoenergetic_move.hpp"

#include <utility>

namespace larmor::ising {

IsoenergeticMove::IsoenergeticMove(Index sites, const std::vector<lattice::CoupledPair>& bonds,
                                   bool flips_both)
    : sites_(sites),
      flips_both_(flips_both),
      graph_(lattice::graph_of(sites, std::span<const lattice::CoupledPair>(bonds))) {}

Index IsoenergeticMove::operator()(std::uint8_t* a, std::uint8_t* b, std::uint32_t random) const {
  Index differ = 0;
  for (Index i = 0; i < sites_; ++i) differ += a[i] != b[i];
  const bool of_equal_sites = flips_both_ && 2 * differ > sites_;
  const Index eligible = of_equal_sites ? sites_ - differ : differ;
  if (eligible == 0) return 0;
  std::vector<char> is_open(static_cast<std::size_t>(sites_));
  // The number of the cluster's first site among all sites that may begin a cluster.
  auto number = static_cast<Index>(
      (static_cast<std::uint64_t>(random) * static_cast<std::uint64_t>(eligible)) >> 32);
  std::vector<std::int32_t> cluster;
  for (Index i = 0; i < sites_; ++i) {
    if ((a[i] == b[i]) != of_equal_sites) continue;
    is_open[static_cast<std::size_t>(i)] = 1;
    if (number-- == 0) cluster.push_back(static_cast<std::int32_t>(i));
  }
  is_open[static_cast<std::size_t>(cluster.front())] = 0;
  for (std::size_t n = 0; n < cluster.size(); ++n) {
    const auto site = static_cast<std::size_t>(cluster[n]);
    for (Index k = graph_.offset[site]; k < graph_.offset[site + 1]; ++k) {
      const std::int32_t other = graph_.neighbour[static_cast<std::size_t>(k)];
      if (!std::exchange(is_open[static_cast<std::size_t>(other)], char{0})) continue;
      cluster.push_back(other);
    }
  }
  for (const std::int32_t site : cluster) {
    if (of_equal_sites) {
      a[site] ^= 1;
      b[site] ^= 1;
    } else {
      std::swap(a[site], b[site]);
    }
  }
  return std::ssize(cluster);
}

}  // namespace larmor::ising
