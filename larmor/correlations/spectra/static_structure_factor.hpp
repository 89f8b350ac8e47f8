#pragma once
// S(q) at equal times of replicas in equilibrium, from samples that are added up as they come:
//
//     S^ab(q) = (1/N) <A_a(q) conj A_b(q)>,     A_a(q) = sum_r exp(-i q.r) e_{r,a},
//
// <> the mean over samples and replicas; errors by logarithmic binning
// (core/statistics/statistics.hpp). Connected: less (1/N) <A_a> conj <A_b>, for which the means
// over the samples of two different replicas are multiplied, for all pairs of them. With M
// replicas, <A>_m the mean over the samples of one, that is
//
//     (1/N) { <A_a conj A_b> - [ M^2 <A_a> conj <A_b> - sum_m <A_a>_m conj <A_b>_m ] / (M (M-1)) },
//
// unbiased for independent replicas, and M / (M - 1) times the covariance over replicas where there
// is one sample. Errors are then a jackknife over replicas.

#include <complex>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::correlations {

struct StaticSettings {
  Index wave_vectors = 0;
  Index replicas = 1;
  bool components = false;  ///< all S^ab beside their trace
  bool connected = false;
};

struct StaticResult {
  std::vector<double> value, error;  ///< the trace, [Q]
  /// Of the trace, in samples, [Q]; empty if connected.
  std::vector<double> autocorrelation_time;
  std::vector<double> reliable;              ///< of the trace, as Estimate::reliable, 0 or 1, [Q]
  std::vector<std::complex<double>> tensor;  ///< S^ab, [Q, 3, 3]; empty: not asked for
  std::vector<std::complex<double>> tensor_error;  ///< of real and imaginary part
  Index samples = 0;                               ///< over all replicas
};

class StaticStructureFactor {
 public:
  explicit StaticStructureFactor(const StaticSettings& settings);

  /// The next sample. @param amplitudes A as numbers, (q, replica, 3, re im)
  void add(const std::vector<double>& amplitudes, int threads);
  Index samples() const { return samples_; }  ///< of each replica
  void clear();

  /// @param spins N @param of_sample replicas side by side that share a sample of frozen disorder:
  /// errors are then the scatter of samples; 0: all replicas are alike
  StaticResult finish(double spins, Index of_sample, int threads) const;

  /// All that is known so far, (.., replica).
  std::vector<double> save() const;
  void load(const std::vector<double>& saved, Index samples);

  /// Bytes that it takes, a copy for checkpoints included. @param samples of each replica
  static double bytes(const StaticSettings& settings, Index samples);

 private:
  Index products() const;
  Index rows() const;
  Estimate binned(Index q, Index row, Index of_sample) const;
  void finish_connected(Index q, std::vector<Estimate>& of_rows) const;

  StaticSettings settings_;
  Index samples_ = 0;
  std::vector<LogBinning> of_q_;  ///< plain: of each q, columns (row, replica)
  std::vector<double> sums_;      ///< connected: (q, row, replica)
};

}  // namespace larmor::correlations
