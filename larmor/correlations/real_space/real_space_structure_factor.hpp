#pragma once
// S(q,t) by way of C(r,r',t), as Chen et al. (2023), Eqs. 3 to 5: O(N^2 M) a wave vector and
// sample, where the amplitudes of structure_factor.hpp need O(N M). The same numbers, without error
// bars and components, for realisations and components are summed in the product; from the first
// sample on, as there. How far the product's numbers are from exact ones is measured at equal
// times, where amplitudes give them.

#include <optional>

#include "larmor/correlations/correlator.hpp"
#include "larmor/correlations/real_space/pair_sums.hpp"
#include "larmor/correlations/real_space/spin_matrix.hpp"

namespace larmor::correlations::real_space {

class RealSpaceStructureFactor : public Correlator {
 public:
  /// @param replicas of the study @param world the ranks that have them; null: this one
  /// @throws InputError for connected correlations of a single replica, or all time origins
  RealSpaceStructureFactor(const lattice::Geometry& geometry,
                           const StructureFactorSettings& settings, Index replicas,
                           const Communicator* world);

  void add(const spins::SpinState& state) override;
  Index samples_added() const override { return added_; }
  Index try_part(const spins::SpinState& state) override;
  Index replicas() const override { return replicas_; }
  StructureFactorResult finish(int threads) override;
  std::vector<double> save() override;
  void load(const std::vector<double>& saved) override;

  static double bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                      Index replicas);
  static double working_bytes(const lattice::Geometry& geometry,
                              const StructureFactorSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  const spins::SpinState& all_replicas(const spins::SpinState& own);
  void begin(const spins::SpinState& state);
  void settle();

  lattice::Geometry geometry_;
  StructureFactorSettings settings_;
  Index replicas_, added_ = 0;
  const Communicator* world_;
  std::unique_ptr<PairRanks> ranks_;
  std::optional<SpinMatrix> now_;
  std::vector<double> origin_;      ///< the matrix of the first sample
  std::vector<double> equal_time_;  ///< [q] what its values have to be, from amplitudes
  std::unique_ptr<PairSums> sums_;
  std::optional<Pending> arriving_;  ///< the last sample
  std::vector<double> values_;       ///< N times the norm times S(q,t), (sample, q, re im)
};

}  // namespace larmor::correlations::real_space
