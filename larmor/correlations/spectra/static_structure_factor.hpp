#pragma once
// S(q) at equal times of replicas in equilibrium, accumulated as samples arrive:
//
//     S^ab(q) = (1/N) <A_a(q) conj A_b(q)>,     A_a(q) = sum_r exp(-i q.r) e_{r,a},
//
// where <> is the mean over samples and replicas. Errors come from logarithmic binning
// (core/statistics/statistics.hpp). Connected correlations subtract (1/N) <A_a> conj <A_b>, where
// the two means belong to two different replicas, and all pairs of replicas are averaged. Let M be
// the number of replicas, and <A>_m the mean over the samples of replica m. Then connected S^ab(q)
// is
//
//     (1/N) { <A_a conj A_b> - [ M^2 <A_a> conj <A_b> - sum_m <A_a>_m conj <A_b>_m ] / (M (M-1)) },
//
// which is unbiased for independent replicas. For one sample, it is M / (M - 1) times the
// covariance over replicas. Errors of connected correlations are a jackknife over replicas.

#include <complex>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::correlations {

struct StaticSettings {
  Index wave_vectors = 0;
  Index replicas = 1;
  bool components = false;  ///< are all S^ab computed in addition to the trace?
  bool connected = false;
};

struct StaticResult {
  std::vector<double> value, error;  ///< the trace, [Q]
  /// Autocorrelation time of the trace, in samples, [Q]; empty if connected.
  std::vector<double> autocorrelation_time;
  /// Is the trace's error reliable, in the sense of Estimate::reliable? 0 or 1, [Q].
  std::vector<double> reliable;
  std::vector<std::complex<double>> tensor;        ///< S^ab, [Q, 3, 3]; empty if not requested
  std::vector<std::complex<double>> tensor_error;  ///< errors of real and imaginary part
  Index samples = 0;                               ///< number of samples of all replicas together
};

class StaticStructureFactor {
 public:
  explicit StaticStructureFactor(const StaticSettings& settings);

  /// Adds the next sample. @param amplitudes A as numbers, (q, replica, 3, re im)
  void add(const std::vector<double>& amplitudes, int threads);
  Index samples() const { return samples_; }  ///< samples of each replica
  void clear();

  /// @param spins N
  /// @param of_sample number of consecutive replicas that share a disorder sample. Errors are then
  /// the scatter over disorder samples. 0: all replicas are equivalent
  StaticResult finish(double spins, Index of_sample, int threads) const;

  /// All sums so far, (.., replica).
  std::vector<double> save() const;
  void load(const std::vector<double>& saved, Index samples);

  /// Bytes, including a copy for checkpoints. @param samples number of samples of each replica
  static double bytes(const StaticSettings& settings, Index samples);

 private:
  Index products() const;
  Index rows() const;
  Estimate binned(Index q, Index row, Index of_sample) const;
  void finish_connected(Index q, std::vector<Estimate>& of_rows) const;

  StaticSettings settings_;
  Index samples_ = 0;
  std::vector<LogBinning> binnings_;  ///< plain: one entry per q, columns (row, replica)
  std::vector<double> sums_;          ///< connected: (q, row, replica)
};

}  // namespace larmor::correlations
