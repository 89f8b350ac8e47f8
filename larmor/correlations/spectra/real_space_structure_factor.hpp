#pragma once
// S(q,t) by way of C(r,r',t), as Chen et al. (2023), Eqs. 3 to 5: O(N^2 M) a wave vector and
// sample, where the amplitudes of structure_factor.hpp need O(N M). The same numbers, from the
// first sample on, as there. Realisations and components are summed in the product, which is then
// one sum over tiles; components, and blocks of realisations for error bars, are sums of their own,
// each of its part of the product. How far the product's numbers are from exact ones is measured at
// equal times, where amplitudes give them.
//
// Errors are a jackknife over B blocks of n replicas, whose products add up to P:
//
//     S without block b = (P - (1 + 1 / (M - n)) P_b) / (M - n - 1)   connected, unbiased,
//
// less products of different replicas of a block, which are zero on average and few beside P_b; of
// blocks of one replica there are none. Plain: (P - P_b) / (M - n).

#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/two_time_matrices.hpp"

namespace larmor::correlations {
class LagsToFrequencies;
}

namespace larmor::correlations::real_space {

class RealSpaceStructureFactor : public Correlator {
 public:
  /// @param replicas of the study @param world the ranks that have them; null: this one
  /// @throws InputError for connected correlations of a single replica, or all time origins
  RealSpaceStructureFactor(const lattice::Geometry& geometry,
                           const StructureFactorSettings& settings, Index replicas,
                           const Communicator* world);

  void add(const spins::SpinState& state) override;
  Index samples_added() const override { return samples_.added(); }
  Index try_part(const spins::SpinState& state) override;
  void settle() override;
  StructureFactorResult finish(int threads) override;
  std::vector<double> save() override;
  void load(const std::vector<double>& saved) override;

  static double bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                      Index replicas);
  static double working_bytes(const lattice::Geometry& geometry,
                              const StructureFactorSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  /// Totals of one sum over pairs, or of each slice.
  std::vector<Pending> sums_of(const RowShare& part);
  std::vector<std::complex<double>> lags(Index q, Index slice) const;
  void finish_q(Index q, const LagsToFrequencies& to_frequencies,
                StructureFactorResult& result) const;
  Index components() const { return settings_.components ? 3 : 1; }
  double norm(Index left_out) const;
  void begin(const spins::SpinState& state);

  lattice::Geometry geometry_;
  StructureFactorSettings settings_;
  Index replicas_;
  JackknifeBlocks blocks_;
  TwoTimeMatrices samples_;         ///< slices block by block, component by component
  std::vector<double> equal_time_;  ///< [q] what its values have to be, from amplitudes
  std::unique_ptr<PairSums> sums_;
  std::vector<Pending> arriving_;  ///< the last sample
  std::vector<double> values_;     ///< N times the norm times S(q,t), (sample, slice, q, re im)
};

}  // namespace larmor::correlations::real_space
