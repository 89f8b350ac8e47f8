#pragma once
// Dynamic spin correlations from trajectories of M independent replicas (Chen, Chen, Turner,
// Feiguin (2023), Eqs. 3 to 5):
//
//     S(q,t) = (1/N) sum_a [ <A_a(q,t) conj A_a(q,0)> - <A_a(q,t)> conj <A_a(q,0)> ],
//     S(q,w) = int dt exp(+i w t) w(t) S(q,t),      S(q,-t) = conj S(q,t),
//
// where <> is the mean over replicas. Connected correlations are divided by M - 1, which makes them
// unbiased, or by M on request. Plain correlations have no second term and are divided by M. The
// product is also averaged over time origins. If all samples are origins (Wiener-Khinchin),
// amplitudes are kept. If not, products are added up as samples arrive (lagged_products.hpp).
// Frequencies are angular, w_k = 2 pi k / ((2 T - 1) dt) for k = -(T-1) ... T-1. Therefore sum_k
// S(q,w_k) / ((2 T - 1) dt) = S(q,t=0) exactly.

#include <optional>
#include <string>
#include <vector>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/lagged_products.hpp"

namespace larmor::correlations {

/// Describes the origins: "fixed" (only the first sample), "all", or the number of origins, such as
/// "16".
/// @param replicas on all ranks
std::string origins_text(const StructureFactorSettings& settings, Index replicas);

class StructureFactor : public Correlator {
 public:
  /// @throws InputError for connected correlations of a single replica, or a method that does not
  /// fit
  StructureFactor(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                  const ReplicaShare& replicas, RankedSamples ranks = {});

  /// Adds the next sample.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  void add(const StridedVectors& spins, int threads);
  /// Adds the spins of a study as the next sample. A GPU copies only amplitudes to the host,
  /// asynchronously.
  /// @throws MachineError if cuFFT is missing and the method needs it
  void add(const spins::SpinState& state) override;
  Index samples_added() const override { return added_; }
  void finish_sums() override;
  /// Errors are NaN if there are too few replicas: fewer than 3 for connected correlations, or
  /// fewer than 2 for plain ones.
  StructureFactorResult finish(int threads) override;

  std::vector<double> save() override;
  void load(const std::vector<double>& saved) override;

  /// Bytes of host memory on the root. They hold the lagged products, a copy of these products for
  /// a checkpoint or the results, and samples. A sample is pending, waiting or gathered.
  /// @param replicas on all ranks
  static double bytes(const StructureFactorSettings& settings, Index replicas);
  /// Bytes of working memory of the transform, on the device of the spins.
  static double working_bytes(const lattice::Geometry& geometry,
                              const StructureFactorSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  void finish_q(Index q, const LagsToFrequencies& to_frequencies,
                StructureFactorResult& result) const;
  /// @throws InternalError like `add`
  void require_next_sample(Index sites, Index replicas) const;
  /// Waits for the last sample if a GPU is still computing it.
  void receive();
  /// Gathers waiting samples and adds their products. Collective.
  void collect();

  StructureFactorSettings settings_;
  Index sites_, spins_;
  ReplicaShare replicas_;
  RankedSamples ranks_;
  int threads_ = 1;
  Index added_ = 0;
  StateAmplitudes transform_;
  std::optional<Pending> arriving_;  ///< amplitudes of the last sample
  std::vector<double> waiting_;      ///< samples of this rank that wait for `collect`, (sample, q,
                                     ///< replica, 6)
  Index waiting_samples_ = 0;
  std::unique_ptr<LaggedProducts> products_;  ///< products of all replicas, on the root
};

}  // namespace larmor::correlations
