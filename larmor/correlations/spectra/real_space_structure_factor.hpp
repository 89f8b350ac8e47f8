#pragma once
// S(q,t) from C(r,r',t), as in Chen et al. (2023), Eqs. 3 to 5. This takes O(N^2 M) operations for
// each wave vector and sample. The amplitudes of structure_factor.hpp give equal numbers in O(N M)
// operations. The time origin is the first sample. One matrix product sums over replicas and
// components together. Single components, and blocks of replicas for the errors, are separate sums
// over their columns. Amplitudes at equal times give exact sums. A comparison with these sums
// measures the error of the product.
//
// Errors are a jackknife over B blocks of n replicas. The products P_b of the blocks have the sum
// P:
//
//     S without block b = (P - (1 + 1 / (M - n)) P_b) / (M - n - 1)   connected, unbiased.
//
// Products of different replicas of one block are neglected here. They are zero on average and
// small compared with P_b. If blocks have one replica, there are none. For plain correlations, S
// without block b is (P - P_b) / (M - n).

#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/two_time_matrices.hpp"

namespace larmor::correlations {
class LagsToFrequencies;
}

namespace larmor::correlations::real_space {

class RealSpaceStructureFactor : public Correlator {
 public:
  /// @param replicas number of replicas in the study @param world the ranks that have the replicas;
  /// null: there is only this rank
  /// @throws InputError for connected correlations of a single replica, or if all samples shall be
  /// time origins
  RealSpaceStructureFactor(const lattice::Geometry& geometry,
                           const StructureFactorSettings& settings, Index replicas,
                           const Communicator* world);

  void add(const spins::SpinState& state) override;
  Index samples_added() const override { return samples_.added(); }
  Index try_share(const spins::SpinState& state) override;
  void finish_sums() override;
  StructureFactorResult finish(int threads) override;
  std::vector<double> save() override;
  void load(const std::vector<double>& saved) override;

  static double bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                      Index replicas);
  static double working_bytes(const lattice::Geometry& geometry,
                              const StructureFactorSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  /// Totals of each block of columns.
  std::vector<Pending> sums_of(const RowShare& share);
  std::vector<std::complex<double>> lags(Index q, Index column_block) const;
  void finish_q(Index q, const LagsToFrequencies& to_frequencies,
                StructureFactorResult& result) const;
  Index components() const { return settings_.components ? 3 : 1; }
  double norm(Index left_out) const;
  void begin(const spins::SpinState& state);

  lattice::Geometry geometry_;
  StructureFactorSettings settings_;
  Index replicas_;
  JackknifeBlocks blocks_;
  TwoTimeMatrices samples_;         ///< blocks of columns by block, then component
  std::vector<double> equal_time_;  ///< [q] exact S(q) at equal times, from amplitudes
  std::unique_ptr<PairSums> sums_;
  std::vector<Pending> arriving_;  ///< the last sample
  std::vector<double>
      values_;  ///< N times the norm times S(q,t), (sample, block of columns, q, re im)
};

}  // namespace larmor::correlations::real_space
