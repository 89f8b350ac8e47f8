#pragma once
// What clusters of discrete spins grow on: sites that hold one of q states, and bonds between them.
//
//   Ising   H = - sum_b J_b s_i s_j,          s = +1 (state 0) or -1 (state 1)
//   Potts   H = - sum_b J_b delta(s_i, s_j),  s = 0 .. q-1, J_b > 0
//
// A bond may join two sites of a cluster where it is satisfied: equal states for J > 0, unequal
// ones for J < 0. It does so with probability 1 - exp(-2 beta |J|) (Ising) or 1 - exp(-beta J)
// (Potts): R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "larmor/clusters/regular_grid.hpp"

namespace larmor::ising {

enum class StateModel { ising, potts };

using clusters::RegularGrid;

/// A bond of any other graph.
struct GraphBond {
  Index i, j;
  double coupling;
};

class ClusterGraph {
 public:
  /// Bonds (site, axis) join a site with its neighbour in +axis. An axis of length 1 has none; a
  /// periodic one of length 2 has two between the same sites.
  /// @param states q: 2 for Ising, 2 to 256 for Potts
  /// @param couplings J of all bonds [1], or of each (sample, axis, site) [samples * axes * sites];
  /// those of bonds that are not there are not looked at
  /// @param samples 1, or one for each replica of the process
  /// @throws InputError for what is none of these, J <= 0 of Potts, or more than 2^32 sites
  static ClusterGraph on_grid(StateModel model, int states, const RegularGrid& grid,
                              std::span<const double> couplings, Index samples = 1);
  /// Any graph; several bonds may join the same two sites.
  /// @param of_samples couplings of each (sample, bond), in place of those of the bonds; empty: all
  /// replicas have these
  /// @throws InputError as above, and for bonds from a site to itself or to one that is not there
  static ClusterGraph of_bonds(StateModel model, int states, Index sites,
                               std::span<const GraphBond> bonds,
                               std::span<const double> of_samples = {});

  StateModel model() const { return model_; }
  int states() const { return states_; }
  Index sites() const { return sites_; }
  /// Bonds that are there.
  Index bonds() const { return bonds_; }
  bool is_grid() const { return !grid_.lengths.empty(); }
  const RegularGrid& grid() const { return grid_; }

  /// Sets of couplings: 1, or one for each replica.
  Index samples() const { return std::ssize(total_weight_); }
  /// Bonds of equal |J| in a sample are a class; samples that have fewer are filled up.
  Index classes() const { return std::ssize(strengths_) / samples(); }
  /// |J| of each class as an integer; 1 where it is the same for all bonds. (sample, class)
  const std::vector<Index>& weights() const { return weights_; }
  /// 2 class + (J < 0) of each (sample, bond), bonds as (axis, site) or their numbers; empty where
  /// J is the same for all.
  const std::vector<std::uint32_t>& codes() const { return codes_; }
  /// Of all bonds, where J is the same for all.
  bool antiferromagnetic() const { return antiferromagnetic_; }
  /// Sites of each bond of a graph (bond, 2).
  const std::vector<std::uint32_t>& ends() const { return ends_; }

  /// BITS: a random word below it makes a satisfied bond active. [classes]
  /// @param beta inverse temperature, not negative, may be infinite
  /// @param replica of the process
  std::vector<std::uint32_t> thresholds(double beta, Index replica = 0) const;

  /// @param satisfied sum of the weights of satisfied bonds
  /// @return H
  double energy(Index satisfied, Index replica = 0) const;

 private:
  /// @param is_there of each bond of a sample
  void take_couplings(std::span<const double> couplings, const std::vector<bool>& is_there);
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
  std::vector<Index> total_weight_;  ///< of all bonds [samples]
};

}  // namespace larmor::ising
