#pragma once
// Averages of correlated series with error bars that cover.
//
// A series x_1..x_n has C = sum over all lags t of Gamma(t), Gamma(t) the autocovariance, and its
// mean has the variance C / n. The integrated autocorrelation time is
//     tau_int = 1/2 + sum_{t >= 1} rho(t) = C / (2 Gamma(0)),
// in units of the sampling interval: 1/2 for independent samples, about tau for rho = exp(-t/tau).
//
// Errors are half-widths of the 68.3 % interval: value +- error covers the true mean in 68.3 % of
// runs. Where the variance itself rests on few bins or replicas, the error is widened as Student's
// t asks; with many, it is the usual standard error.
//
// Sources: U. Wolff, Comput. Phys. Commun. 156, 143 (2004) for the Gamma method; C. J. Geyer,
// Statistical Science 7, 473 (1992) for sequences that go on while they are positive; H. Flyvbjerg
// and H. G. Petersen, J. Chem. Phys. 91, 461 (1989) for binning; F. Busing, E. Meijer and
// R. van der Leeden, Statistics and Computing 9, 3 (1999) for the jackknife of unequal blocks.

#include <functional>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// A mean with its uncertainty. What cannot be known (no samples, one sample, a series with NaN) is
/// NaN with `reliable` false.
struct Estimate {
  double value;
  double error;                 ///< half-width of the 68.3 % interval
  double autocorrelation_time;  ///< tau_int, in sampling intervals
  Index samples;                ///< over all replicas
  /// False if the data are too few for the error to be trusted: fewer than 50 tau_int samples in
  /// all, fewer than 5 tau_int in each replica, or replicas that disagree with one another.
  bool reliable;
};

/// Mean and error of one stored series, by the Gamma method with automatic window, which goes on
/// where a slow decay of small weight shows beyond it.
Estimate estimate(std::span<const double> series);

/// Mean and error of `replicas` independent series of equal law.
/// Autocorrelations are averaged over replicas; if the series are too short to see them decay, or
/// if the replicas scatter more than the series explain, the scatter of replica means is the error.
/// @param series [sample][replica], row-major
/// @throws InternalError if the length is no multiple of `replicas`, or `replicas` < 1
Estimate estimate_replicas(std::span<const double> series, Index replicas);

/// Fewer values that know nothing of one another do not show how much they scatter.
constexpr Index fewest_independent = 20;

/// Mean of values that know nothing of one another, one of each replica for instance, and the error
/// that their scatter gives. The error of one value is NaN; it is reliable of `fewest_independent`.
/// @throws InternalError if there are no values
Estimate estimate_independent(std::span<const double> values);

/// Mean and error of observables that are not stored: logarithmic binning in O(log n) memory.
/// Bins of 1, 2, 4, ... samples; the level is chosen automatically, with longer bins where a slow
/// decay of small weight shows in them, and what is left of the correlation between neighbouring
/// bins is taken out by extrapolation from two levels.
class LogBinning {
 public:
  /// FORMAT: all there is to an accumulator, as checkpoints have it. BITS: it goes on alike.
  struct State {
    Index replicas = 1;
    Index samples = 0;                   ///< in each replica
    std::vector<double> mean;            ///< of bin means, (level, replica)
    std::vector<double> sum_of_squares;  ///< of deviations from that mean, (level, replica)
    std::vector<double> pending;         ///< bin mean waiting for its partner, (level, replica)
    friend bool operator==(const State&, const State&) = default;
  };

  /// @throws InternalError if `replicas` < 1
  explicit LogBinning(Index replicas = 1);
  /// @throws InputError if the arrays do not fit the counts (a damaged checkpoint)
  explicit LogBinning(State state);

  /// Adds the next sample of every replica.
  /// @throws InternalError unless there is one value for each replica
  void add(std::span<const double> values);
  /// Adds the next sample of a single series.
  void add(double value) { add(std::span<const double>(&value, 1)); }
  /// Appends the replicas of `other`. BITS: the result is as if all had been added together.
  /// @throws InternalError if the replicas of `other` have a different number of samples
  void merge(const LogBinning& other);

  /// As `estimate_replicas`.
  Estimate estimate() const;
  const State& state() const { return state_; }

 private:
  State state_;
  std::vector<double> carry_;  ///< bin means on their way up the levels, (replica)
};

/// A function of the means of several observables, e.g. <m^4> / <m^2>^2.
using DerivedQuantity = std::function<double(std::span<const double> means)>;

/// Value and error of a derived quantity by the jackknife over blocks of at least 5 tau_int (where
/// the data allow at least 20 blocks in all). The value is corrected for the bias of order 1/n that
/// a nonlinear function of means has, exactly so for quadratic ones. The pseudovalues of the blocks
/// are treated as a series by `estimate_replicas`, so what correlation is left between blocks
/// counts. `autocorrelation_time` is the longest of the columns, and the result is reliable only if
/// every column is.
/// @param columns one series for each argument of `quantity`, each [sample][replica], row-major
/// @throws InternalError if there are no columns or their lengths differ, or as `estimate_replicas`
Estimate jackknife(const std::vector<std::span<const double>>& columns, Index replicas,
                   const DerivedQuantity& quantity);

}  // namespace larmor
