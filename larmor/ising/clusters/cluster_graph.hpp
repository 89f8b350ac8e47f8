#pragma once
// Graphs for clusters of discrete spins: sites that hold one of q states, and bonds between them.
//
//   Ising   H = - sum_b J_b s_i s_j,          s = +1 (state 0) or -1 (state 1)
//   Potts   H = - sum_b J_b delta(s_i, s_j),  s = 0 .. q-1, J_b > 0
//
// A bond is satisfied if its sites have equal states for J > 0, or unequal states for J < 0. A
// satisfied bond joins its sites to one cluster with probability 1 - exp(-2 beta |J|) (Ising) or 1
// - exp(-beta J) (Potts). Source: R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "larmor/clusters/regular_grid.hpp"
#include "larmor/lattice/coupled_pair.hpp"

namespace larmor::ising {

enum class StateModel { ising, potts };

using clusters::RegularGrid;

class ClusterGraph {
 public:
  /// Bonds (site, axis) join a site with its neighbour in +axis. An axis of length 1 has no bonds.
  /// A periodic axis of length 2 has two bonds between two sites.
  /// @param states q: 2 for Ising, 2 to 256 for Potts
  /// @param couplings J of all bonds [1], or of each (sample, axis, site) [samples * axes * sites];
  /// entries of missing bonds are ignored
  /// @param samples 1, or one for each replica of the process
  /// @throws InputError for other arguments, J <= 0 of Potts, or more than 2^32 sites
  static ClusterGraph on_grid(StateModel model, int states, const RegularGrid& grid,
                              std::span<const double> couplings, Index samples = 1);
  /// A general graph. Several bonds may join one pair of sites.
  /// @param of_samples couplings of each (sample, bond), which replace the couplings in `bonds`;
  /// empty: all replicas have the couplings in `bonds`
  /// @throws InputError as `on_grid`, and for bonds from a site to itself or to a missing site
  static ClusterGraph of_bonds(StateModel model, int states, Index sites,
                               std::span<const lattice::CoupledPair> bonds,
                               std::span<const double> of_samples = {});

  StateModel model() const { return model_; }
  int states() const { return states_; }
  Index sites() const { return sites_; }
  /// Number of existing bonds.
  Index bonds() const { return bonds_; }
  bool is_grid() const { return !grid_.lengths.empty(); }
  const RegularGrid& grid() const { return grid_; }

  /// Number of sets of couplings: 1, or one for each replica.
  Index samples() const { return std::ssize(total_weight_); }
  /// Number of classes of a sample. Bonds of equal |J| form a class. Samples with fewer classes are
  /// padded.
  Index classes() const { return std::ssize(strengths_) / samples(); }
  /// |J| of each class as an integer; 1 if all bonds have equal |J|. (sample, class)
  const std::vector<Index>& weights() const { return weights_; }
  /// 2 class + (J < 0) of each (sample, bond). Bonds of a grid are (axis, site), other bonds have
  /// numbers. Empty if all bonds have one J.
  const std::vector<std::uint32_t>& codes() const { return codes_; }
  /// Is J < 0? Only valid if all bonds have one J.
  bool antiferromagnetic() const { return antiferromagnetic_; }
  /// Sites of each bond of a graph (bond, 2).
  const std::vector<std::uint32_t>& ends() const { return ends_; }

  /// BITS: thresholds of the classes. A satisfied bond is active if its random word is below the
  /// threshold of its class. [classes]
  /// @param beta inverse temperature, not negative, may be infinite
  /// @param replica number of the replica in the process
  std::vector<std::uint32_t> thresholds(double beta, Index replica = 0) const;

  /// H of a replica.
  /// @param satisfied sum of the weights of satisfied bonds
  double energy(Index satisfied, Index replica = 0) const;

 private:
  /// @param is_there does each bond of a sample exist?
  void set_couplings(std::span<const double> couplings, const std::vector<bool>& is_there);
  std::size_t sample_of(Index replica) const {
    return samples() == 1 ? 0 : static_cast<std::size_t>(replica);
  }

  StateModel model_ = StateModel::ising;
  int states_ = 2;
  Index sites_ = 0, bonds_ = 0;
  RegularGrid grid_;
  std::vector<double> strengths_;  ///< (sample, class)
  std::vector<Index> weights_;
  std::vector<std::uint32_t> codes_, ends_;
  bool antiferromagnetic_ = false;
  double weight_unit_ = 1;           ///< |J| of weight 1
  std::vector<Index> total_weight_;  ///< sum over all bonds [samples]
};

}  // namespace larmor::ising
