#pragma once
// Averages of correlated series, with error bars of correct coverage.
//
// A series x_1..x_n has C = sum over all lags t of the autocovariance Gamma(t). Its mean has the
// variance C / n. The integrated autocorrelation time is
//     tau_int = 1/2 + sum_{t >= 1} rho(t) = C / (2 Gamma(0)),
// in units of the sampling interval: 1/2 for independent samples, about tau for rho = exp(-t/tau).
//
// Errors are half-widths of the 68.3 % interval: value +- error covers the true mean in 68.3 % of
// runs. If the variance itself is from few bins or replicas, the error is widened by Student's t.
// With many, it is the usual standard error.
//
// Sources: U. Wolff, Comput. Phys. Commun. 156, 143 (2004) for the Gamma method; C. J. Geyer,
// Statistical Science 7, 473 (1992) for sequences that continue while they are positive; H.
// Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989) for binning; F. Busing, E. Meijer and
// R. van der Leeden, Statistics and Computing 9, 3 (1999) for the jackknife of unequal blocks.

#include <functional>
#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// A mean with its uncertainty. Unknown values (no samples, one sample, a series with NaN) are NaN,
/// and `reliable` is false.
struct Estimate {
  double value;
  double error;                 ///< half-width of the 68.3 % interval
  double autocorrelation_time;  ///< tau_int, in sampling intervals
  Index samples;                ///< number over all replicas
  /// False if the data are too few for a trustworthy error. Either there are fewer than 50 tau_int
  /// samples in all, or fewer than 5 tau_int in each replica, or replicas disagree.
  bool reliable;
};

/// Mean and error of one stored series, by the Gamma method with automatic window. The window is
/// extended if a slow decay of small weight shows beyond it.
Estimate estimate(std::span<const double> series);

/// Mean and error of `replicas` independent series of equal distribution. Autocorrelations are
/// averaged over replicas. The scatter of replica means gives the error in two cases: the series
/// are too short to show the decay of correlations, or the replicas scatter more than the series
/// explain.
/// @param series [sample][replica], row-major
/// @throws InternalError if the length is not a multiple of `replicas`, or `replicas` < 1
Estimate estimate_replicas(std::span<const double> series, Index replicas);

/// Least number of independent values whose scatter gives a reliable error.
constexpr Index fewest_independent = 20;

/// Mean of independent values, for instance one per replica, and the error from their scatter. The
/// error of one value is NaN. It is reliable from `fewest_independent` values on.
/// @throws InternalError if there are no values
Estimate estimate_independent(std::span<const double> values);

/// Mean and error of observables that are not stored, by logarithmic binning in O(log n) memory.
/// Bins have 1, 2, 4, ... samples. The level is chosen automatically, with longer bins if these
/// show a slow decay of small weight. Extrapolation from two levels removes the remaining
/// correlation between neighbouring bins.
class LogBinning {
 public:
  /// FORMAT: the complete state of an accumulator, as checkpoints store it. BITS: a resumed run
  /// gives the same bits as an uninterrupted one.
  struct State {
    Index replicas = 1;
    Index samples = 0;                   ///< number in each replica
    std::vector<double> mean;            ///< mean of bin means, (level, replica)
    std::vector<double> sum_of_squares;  ///< squared deviations from it, summed, (level, replica)
    std::vector<double> pending;         ///< bin mean waiting for its partner, (level, replica)
    friend bool operator==(const State&, const State&) = default;
  };

  /// @throws InternalError if `replicas` < 1
  explicit LogBinning(Index replicas = 1);
  /// @throws InputError if the sizes of arrays contradict the counts (a damaged checkpoint)
  explicit LogBinning(State state);

  /// Adds the next sample of every replica.
  /// @throws InternalError unless there is one value per replica
  void add(std::span<const double> values);
  /// Adds the next sample of a single series.
  void add(double value) { add(std::span<const double>(&value, 1)); }
  /// Appends the replicas of `other`. BITS: the result equals that of adding all together.
  /// @throws InternalError if the replicas of `other` have a different number of samples
  void merge(const LogBinning& other);

  /// Estimate as by `estimate_replicas`.
  Estimate estimate() const;
  const State& state() const { return state_; }

 private:
  State state_;
  std::vector<double> carry_;  ///< bin means carried to the next level, (replica)
};

/// A function of the means of several observables, e.g. <m^4> / <m^2>^2.
using DerivedQuantity = std::function<double(std::span<const double> means)>;

/// Value and error of a derived quantity by the jackknife over blocks. A block has at least 5
/// tau_int, if the data allow at least 20 blocks in all. The value is corrected for the bias of
/// order 1/n of a nonlinear function of means, exactly for quadratic functions. `estimate_replicas`
/// treats the pseudovalues of the blocks as a series, so remaining correlation between blocks
/// counts. `autocorrelation_time` is the longest of the columns. The result is reliable only if
/// every column is.
/// @param columns one series for each argument of `quantity`, each [sample][replica], row-major
/// @throws InternalError if there are no columns or their lengths differ, or as `estimate_replicas`
Estimate jackknife(const std::vector<std::span<const double>>& columns, Index replicas,
                   const DerivedQuantity& quantity);

}  // namespace larmor
