#pragma once
// Dynamic spin correlations from trajectories of M independent replicas (Chen, Chen, Turner,
// Feiguin (2023), Eqs. 3 to 5):
//
//     S(q,t) = (1/N) sum_a [ <A_a(q,t) conj A_a(q,0)> - <A_a(q,t)> conj <A_a(q,0)> ],
//     S(q,w) = int dt exp(+i w t) w(t) S(q,t),      S(q,-t) = conj S(q,t),
//
// <> the mean over replicas. Connected correlations divide by M - 1, which makes them unbiased
// (or by M on request); plain ones have no second term and divide by M. The product is also
// averaged over time origins: with all of them (Wiener-Khinchin) amplitudes are kept, otherwise
// products are, as samples come (lagged_products.hpp). Frequencies are angular, w_k = 2 pi k / ((2
// T - 1) dt) for k = -(T-1) ... T-1, so that sum_k S(q,w_k) / ((2 T - 1) dt) = S(q,t=0) exactly.

#include <optional>
#include <string>
#include <vector>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/lagged_products.hpp"

namespace larmor::correlations {

/// Which samples are origins: "fixed" (the first alone), "all", or their number, as "16".
/// @param replicas of all ranks
std::string origins_text(const StructureFactorSettings& settings, Index replicas);

class StructureFactor : public Correlator {
 public:
  /// @throws InputError for connected correlations of a single replica, or a method that does not
  /// fit
  StructureFactor(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                  const ReplicaShare& replicas, RankedSamples ranks = {});

  /// The next sample. @throws InternalError beyond the number announced, or for another number of
  /// sites or replicas
  void add(const StridedVectors& spins, int threads);
  /// The same of a study's spins, by its device: on a GPU only amplitudes leave it, and they are
  /// not waited for.
  /// @throws MachineError when cuFFT is missing that the method needs
  void add(const spins::SpinState& state) override;
  Index samples_added() const override { return added_; }
  void settle() override;
  /// Errors are NaN where there are too few replicas to know (under 3 connected, under 2 plain).
  StructureFactorResult finish(int threads) override;

  std::vector<double> save() override;
  void load(const std::vector<double>& saved) override;

  /// Bytes of the host that the root takes: what it keeps, and the copy that a checkpoint is made
  /// of or the results. @param replicas of all ranks
  static double bytes(const StructureFactorSettings& settings, Index replicas);
  /// Bytes that the transform works in, where the spins are.
  static double working_bytes(const lattice::Geometry& geometry,
                              const StructureFactorSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  void finish_q(Index q, const LagsToFrequencies& to_frequencies,
                StructureFactorResult& result) const;
  /// @throws InternalError as `add`
  void require_next_sample(Index sites, Index replicas) const;
  /// Waits for the last sample if it is still on its way from a GPU.
  void receive();
  /// Samples that wait become products. All ranks come here together.
  void collect();

  StructureFactorSettings settings_;
  Index sites_, spins_;
  ReplicaShare replicas_;
  RankedSamples ranks_;
  int threads_ = 1;
  Index added_ = 0;
  StateAmplitudes transform_;
  std::optional<Pending> arriving_;  ///< the last sample
  std::vector<double> waiting_;      ///< samples of this rank, (sample, q, replica, 6)
  Index waiting_samples_ = 0;
  std::unique_ptr<LaggedProducts> products_;  ///< of all replicas, on the root
};

}  // namespace larmor::correlations
