#pragma once
// The cluster of one site of a grid, grown bond by bond on a thread of a CPU: nothing is done for
// sites that are not beside it. Its bonds have the random words that they have where all clusters
// are labelled, so that both find the same sites.

#include <cstdint>
#include <vector>

#include "larmor/clusters/reflection_engine.hpp"

namespace larmor::clusters {

class GrownCluster {
 public:
  /// @param most sites that the cluster may have
  /// @return is that all of it? False: it is larger, and of no use
  bool grow(const ReflectionClusterView& view, const ClusterKeys& keys, Index replica,
            const ReflectedField& field, std::uint32_t seed, Index most);
  /// In the order in which they were found.
  const std::vector<std::uint32_t>& sites() const { return sites_; }
  /// Projections, by site: of those of the cluster, and some others.
  const float* sigma() const { return sigma_.data(); }
  /// By site: not 0 of those of the cluster, nor of some others.
  const std::uint8_t* marks() const { return marks_.data(); }

 private:
  /// Bonds from the cluster to sites that are not in it.
  struct Bond {
    std::uint32_t site, other;
    std::uint64_t call;  ///< of their random word
    std::uint64_t word;
  };
  void begin(Index sites);
  void add(std::uint32_t site);
  void list_bonds(const GridView& grid, std::uint32_t site);
  void try_bonds(const ReflectionClusterView& view, const ClusterKeys& keys, Index replica,
                 const ReflectedField& field);

  std::vector<std::uint8_t> marks_;  ///< of each site
  std::vector<float> sigma_;         ///< of each site
  std::vector<std::uint32_t> sites_;
  std::vector<std::uint32_t> seen_;  ///< sites whose marks are not 0
  std::size_t projected_ = 0;        ///< so many of them
  std::vector<Bond> bonds_;          ///< that are to be tried
};

}  // namespace larmor::clusters
