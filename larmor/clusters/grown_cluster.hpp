#pragma once
// The cluster of one site of a grid, grown bond by bond on a thread of a CPU. Only the cluster and
// its neighbours cost time. The labelling of all clusters gives each bond an equal random word, so
// both methods find equal clusters.

#include <cstdint>
#include <vector>

#include "larmor/clusters/reflection_engine.hpp"

namespace larmor::clusters {

class GrownCluster {
 public:
  /// @param most largest number of sites that the cluster may have
  /// @return true if the cluster is complete; false if it is larger and unusable
  bool grow(const ReflectionClusterView& view, const ClusterKeys& keys, Index replica,
            const ReflectedField& field, std::uint32_t seed, Index most);
  /// The sites, in the order in which they were found.
  const std::vector<std::uint32_t>& sites() const { return sites_; }
  /// Projections, by site. They are set for sites of the cluster and some others.
  const float* sigma() const { return sigma_.data(); }
  /// Marks, by site. They are not 0 for sites of the cluster and some others.
  const std::uint8_t* marks() const { return marks_.data(); }

 private:
  /// A bond from the cluster to a site outside it.
  struct Bond {
    std::uint32_t site, other;
    std::uint64_t call;  ///< Philox call that gives the random word of the bond
    std::uint64_t word;
  };
  void clear(Index sites);
  void add(std::uint32_t site);
  void list_bonds(const GridView& grid, std::uint32_t site);
  void try_bonds(const ReflectionClusterView& view, const ClusterKeys& keys, Index replica,
                 const ReflectedField& field);

  std::vector<std::uint8_t> marks_;  ///< one per site
  std::vector<float> sigma_;         ///< one per site
  std::vector<std::uint32_t> sites_;
  std::vector<std::uint32_t> seen_;  ///< sites whose marks are not 0
  std::size_t projected_ = 0;        ///< number of sites with projections
  std::vector<Bond> bonds_;          ///< bonds still to be tried
};

}  // namespace larmor::clusters
