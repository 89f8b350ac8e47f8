#include "larmor/core/statistics/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// C = sum over all lags of Gamma(t), per sample.
struct LongRunVariance {
  double value;
  double degrees_of_freedom;  ///< 2 / (relative variance of `value`)
  bool settled;               ///< whether the correlations were seen to decay
};

/// Estimates from the correlations within replicas.
struct WithinReplicas {
  LongRunVariance c;
  LongRunVariance decayed;  ///< without a slow decay whose end was not seen
};

/// Standard deviations by which a slow decay must exceed noise: first to be accepted, then to be
/// followed further.
double needed_to_follow(bool begun) { return begun ? 1 : 1.5; }

/// Ratio of the 68.3 % quantile of Student's t to that of the normal distribution (Abramowitz and
/// Stegun 26.7.5 at one sigma; within 1 % for one degree of freedom and more).
double student_factor(double degrees_of_freedom) {
  const double u = 1 / std::max(degrees_of_freedom, 1.0);
  return 1 + u * (1.0 / 2 + u * (1.0 / 4 + u / 16));
}

/// Whether `spread` exceeds `within` by more than 4 sigma (F test, Wilson and Hilferty's cube
/// root).
bool exceeds(const LongRunVariance& spread, const LongRunVariance& within) {
  if (within.value <= 0) return spread.value > 0;
  const double a = 2 / (9 * spread.degrees_of_freedom);
  const double b = 2 / (9 * within.degrees_of_freedom);
  const double root = std::cbrt(spread.value / within.value);
  return root * (1 - b) - (1 - a) > 4 * std::sqrt(a + b * root * root);
}

/// From the scatter of replica means; correct for any autocorrelation time within a replica.
LongRunVariance scatter(std::span<const double> replica_means, double mean, Index samples) {
  double squares = 0;
  for (double m : replica_means) squares += (m - mean) * (m - mean);
  const double free = static_cast<double>(replica_means.size()) - 1;
  return {static_cast<double>(samples) * squares / free, free, free >= 19};
}

/// Decides between the estimate from series and that from the scatter of replica means.
/// @param variance mean square deviation from `mean` @param samples number in each replica
Estimate conclude(double mean, double variance, const WithinReplicas& within,
                  std::span<const double> replica_means, Index samples) {
  const double total = static_cast<double>(samples) * static_cast<double>(replica_means.size());
  LongRunVariance long_run = within.c;
  if (replica_means.size() > 1) {
    LongRunVariance between = scatter(replica_means, mean, samples);
    const bool disagree = long_run.settled && exceeds(between, within.decayed);
    between.settled = between.settled && !disagree;
    if (disagree || !long_run.settled) long_run = between;
  }
  const double c = long_run.value;
  Estimate result{mean, not_known, not_known, static_cast<Index>(total), false};
  if (!std::isfinite(c) || !std::isfinite(mean)) return result;
  result.error = std::sqrt(c / total) * student_factor(long_run.degrees_of_freedom);
  // c / total corrects the variance, which is too small because it uses the measured mean.
  const double tau = variance > 0 ? c / (2 * (variance + c / total)) : 0.5;
  result.autocorrelation_time = tau;
  result.reliable =
      long_run.settled && total >= 50 * tau && static_cast<double>(samples) >= 5 * tau;
  return result;
}

/// Deviations from the mean over all replicas, each replica contiguous.
struct Deviations {
  std::vector<double> values;  // (replica, sample)
  Index replicas, samples;

  double total() const { return static_cast<double>(replicas) * static_cast<double>(samples); }

  double autocovariance(Index lag) const {
    const Index pairs = samples - lag;
    double sum[4] = {0, 0, 0, 0};  // four independent chains of additions
    for (Index r = 0; r < replicas; ++r) {
      const double* a = values.data() + r * samples;
      const double* b = a + lag;
      Index i = 0;
      for (; i + 4 <= pairs; i += 4)
        for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
      for (; i < pairs; ++i) sum[0] += a[i] * b[i];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) /
           (static_cast<double>(replicas) * static_cast<double>(pairs));
  }

  /// Replaces each pair of neighbours by its mean. C of the series of pairs is half of C of the
  /// samples.
  void pair_up() {
    const Index half = samples / 2;
    for (Index r = 0; r < replicas; ++r)
      for (Index i = 0; i < half; ++i) {
        const double* pair = values.data() + r * samples + 2 * i;
        values[r * half + i] = 0.5 * (pair[0] + pair[1]);
      }
    samples = half;
    values.resize(static_cast<std::size_t>(replicas * half));
  }
};

/// Lag-1 correlations below this are significant. They would close the window too early or make the
/// sum negative. Means of pairs of neighbours do not have such correlations.
double alternation_threshold(double total) { return -std::min(0.25, 3 / std::sqrt(total)); }

/// Wolff's criterion (his Eq. 52, S = 1.5): the window's truncation is below its statistical error.
bool window_closes(Index window, double tau, double total) {
  if (tau <= 0.5) return true;
  const double decay = 1.5 / std::log((2 * tau + 1) / (2 * tau - 1));
  const double w = static_cast<double>(window);
  return std::exp(-w / decay) < decay / std::sqrt(w * total);
}

/// C summed over the lags of a window.
struct WindowedSum {
  LongRunVariance c;
  Index window;  ///< longest lag of the window
};

/// The sum over one window, with the bias of the measured mean removed.
WindowedSum sum_to_window(const Deviations& d, Index longest) {
  const double total = d.total();
  const double variance = d.autocovariance(0);
  if (variance <= 0) return {{0, total, true}, 0};
  WindowedSum best{{variance, total, false}, 0};
  double sum = variance;
  for (Index window = 1; window <= std::min(longest, d.samples / 2); ++window) {
    const double covariance = d.autocovariance(window);
    if (window == 1 && covariance < alternation_threshold(total) * variance) return best;
    sum += 2 * covariance;
    const double terms = static_cast<double>(2 * window + 1);
    const double tau = sum / (2 * variance);
    const double unbiased = sum * (1 + terms / total);
    if (sum > 0 && window_closes(window, tau, total))
      return {{unbiased, total / terms, static_cast<double>(d.samples) >= 5 * tau}, window};
    if (unbiased > best.c.value) best = {{unbiased, total / terms, false}, window};
  }
  return best;
}

/// Wolff's window has the length for a single decay with this tau. If fast noise covers a slow
/// decay of small weight, the window closes long before the slow decay has ended. So the window is
/// doubled while the sum over the next octave of lags exceeds its noise. This is Geyer's initial
/// positive sequence (Statistical Science 7, 473 (1992)) with octaves instead of pairs of lags.
/// Many small correlations together are significant even if each is below the noise.
/// @param d deviations, in bins of equal size as those of `closed`
WithinReplicas with_slow_decay(Deviations d, const WindowedSum& closed) {
  constexpr Index finest = 16;           // longer windows are summed over bins
  constexpr double fewest_windows = 10;  // fewer do not show so slow a decay
  WithinReplicas found{closed.c, closed.c};
  LongRunVariance& c = found.c;
  Index window = closed.window;
  double bin = 1;
  for (bool begun = false; window > 0 && c.value > 0; begun = true) {
    while (window > finest && d.samples >= 4) {
      d.pair_up();
      bin *= 2;
      window = (window + 1) / 2;
    }
    const double total = d.total();
    const double windows = total / static_cast<double>(4 * window + 1);
    if (4 * window > d.samples || windows < fewest_windows) return found;
    double octave = 0;
    for (Index lag = window + 1; lag <= 2 * window; ++lag) octave += d.autocovariance(lag);
    const double share = static_cast<double>(2 * window) / total;
    octave = 2 * bin * octave + share * c.value;  // the bias of the measured mean removed
    if (octave <= needed_to_follow(begun) * std::sqrt(2 * share) * c.value) break;
    c = {c.value + octave, windows, true};
    window *= 2;
  }
  found.decayed = c;
  return found;
}

/// The Gamma method at O(n) cost for any tau: neighbours are paired if the window would be long.
WithinReplicas windowed_variance(Deviations d) {
  constexpr Index longest_window = 128;
  constexpr double fewest_bins = 8;
  for (double bin = 1;; bin *= 2) {
    const WindowedSum sum = sum_to_window(d, longest_window);
    WithinReplicas result = sum.c.settled ? with_slow_decay(d, sum) : WithinReplicas{sum.c, sum.c};
    result.c.value *= bin;
    result.decayed.value *= bin;
    const bool can_pair = d.samples >= 4 && d.total() >= 2 * fewest_bins;
    if (result.c.settled || !can_pair) return result;
    const bool window_spanned_series = d.samples < 2 * longest_window;
    const bool alternates =
        d.autocovariance(1) < alternation_threshold(d.total()) * d.autocovariance(0);
    if (window_spanned_series && !alternates) return result;
    d.pair_up();
  }
}

}  // namespace

Estimate estimate(std::span<const double> series) { return estimate_replicas(series, 1); }

Estimate estimate_replicas(std::span<const double> series, Index replicas) {
  if (replicas < 1 || static_cast<Index>(series.size()) % replicas != 0)
    throw InternalError("a series of " + std::to_string(series.size()) + " values cannot hold " +
                        std::to_string(replicas) + " replicas");
  const Index samples = static_cast<Index>(series.size()) / replicas;
  if (samples == 0) return {not_known, not_known, not_known, 0, false};
  // Sums use differences from the first value, so that a constant series has no variance.
  const double origin = series[0];
  std::vector<double> replica_means(static_cast<std::size_t>(replicas), 0.0);
  for (Index i = 0; i < samples; ++i)
    for (Index r = 0; r < replicas; ++r) replica_means[r] += series[i * replicas + r] - origin;
  double mean = 0;
  for (double& m : replica_means) {
    m = origin + m / static_cast<double>(samples);
    mean += m - origin;
  }
  mean = origin + mean / static_cast<double>(replicas);
  if (!std::isfinite(mean) || series.size() == 1)
    return {mean, not_known, not_known, static_cast<Index>(series.size()), false};

  Deviations deviations{std::vector<double>(series.size()), replicas, samples};
  for (Index i = 0; i < samples; ++i)
    for (Index r = 0; r < replicas; ++r)
      deviations.values[r * samples + i] = series[i * replicas + r] - mean;
  const double variance = deviations.autocovariance(0);
  const WithinReplicas within = windowed_variance(std::move(deviations));
  return conclude(mean, variance, within, replica_means, samples);
}

Estimate estimate_independent(std::span<const double> values) {
  Estimate result = estimate_replicas(values, std::ssize(values));
  result.reliable = std::ssize(values) >= fewest_independent && std::isfinite(result.error);
  return result;
}

LogBinning::LogBinning(Index replicas) {
  if (replicas < 1) throw InternalError("binning needs at least one replica");
  state_.replicas = replicas;
}

LogBinning::LogBinning(State state) : state_(std::move(state)) {
  const bool counts_valid = state_.replicas >= 1 && state_.samples >= 0;
  const auto levels = std::bit_width(static_cast<std::uint64_t>(state_.samples));
  const auto size = static_cast<std::size_t>(levels) * static_cast<std::size_t>(state_.replicas);
  if (!counts_valid || state_.mean.size() != size || state_.sum_of_squares.size() != size ||
      state_.pending.size() != size)
    throw InputError("the saved averages do not fit their number of samples",
                     "the checkpoint is damaged; resume from an earlier checkpoint");
}

void LogBinning::add(std::span<const double> values) {
  const auto replicas = static_cast<std::size_t>(state_.replicas);
  if (values.size() != replicas) throw InternalError("binning: one value is needed per replica");
  carry_.assign(values.begin(), values.end());
  ++state_.samples;
  Index bins = state_.samples;
  for (std::size_t level = 0;; ++level, bins /= 2) {
    if (state_.mean.size() == level * replicas) {
      state_.mean.resize((level + 1) * replicas, 0.0);
      state_.sum_of_squares.resize((level + 1) * replicas, 0.0);
      state_.pending.resize((level + 1) * replicas, 0.0);
    }
    double* mean = state_.mean.data() + level * replicas;
    double* squares = state_.sum_of_squares.data() + level * replicas;
    double* pending = state_.pending.data() + level * replicas;
    const double weight = 1 / static_cast<double>(bins);
    const bool odd = bins % 2 == 1;
    for (std::size_t r = 0; r < replicas; ++r) {  // Welford's update
      const double delta = carry_[r] - mean[r];
      mean[r] += delta * weight;
      squares[r] += delta * (carry_[r] - mean[r]);
      if (odd)
        pending[r] = carry_[r];
      else
        carry_[r] = 0.5 * (pending[r] + carry_[r]);
    }
    if (odd) return;
  }
}

void LogBinning::merge(const LogBinning& other) {
  if (state_.samples != other.state_.samples)
    throw InternalError("binning: replicas of different lengths cannot be merged");
  const auto append_columns = [&](std::vector<double>& mine, const std::vector<double>& theirs) {
    const auto a = static_cast<std::ptrdiff_t>(state_.replicas);
    const auto b = static_cast<std::ptrdiff_t>(other.state_.replicas);
    std::vector<double> merged;
    merged.reserve(mine.size() + theirs.size());
    const auto levels = static_cast<std::ptrdiff_t>(mine.size()) / a;
    for (std::ptrdiff_t level = 0; level < levels; ++level) {
      merged.insert(merged.end(), mine.begin() + level * a, mine.begin() + (level + 1) * a);
      merged.insert(merged.end(), theirs.begin() + level * b, theirs.begin() + (level + 1) * b);
    }
    mine = std::move(merged);
  };
  append_columns(state_.mean, other.state_.mean);
  append_columns(state_.sum_of_squares, other.state_.sum_of_squares);
  append_columns(state_.pending, other.state_.pending);
  state_.replicas += other.state_.replicas;
}

namespace {

/// Sums over the bins of one level of all replicas, about their common mean.
struct Level {
  double mean;
  double squares;  ///< sum of squared deviations
  double bins;     ///< number over all replicas
};

Level pool_level(const LogBinning::State& state, Index level) {
  const double* mean = state.mean.data() + level * state.replicas;
  const double* squares = state.sum_of_squares.data() + level * state.replicas;
  const double bins = static_cast<double>(state.samples >> level);
  double common = 0;
  for (Index r = 0; r < state.replicas; ++r) common += mean[r] - mean[0];
  common = mean[0] + common / static_cast<double>(state.replicas);
  double sum = 0;
  for (Index r = 0; r < state.replicas; ++r)
    sum += squares[r] + bins * (mean[r] - common) * (mean[r] - common);
  return {common, sum, bins * static_cast<double>(state.replicas)};
}

/// V(B) = B var(bin mean) is below C by a term of order 1/B. So the first level with bins of B >= 5
/// tau is extrapolated: 2 V(2B) - V(B). The extrapolated value has a relative bias below tau/B
/// exp(-B/tau), and a relative variance of 10 / bins for independent bins.
///
/// A slow decay of small weight shows only in longer bins. So the next level is taken while its
/// step V(2B) - V(B) exceeds the noise.
WithinReplicas plateau(const LogBinning::State& state, double variance) {
  constexpr double fewest_bins = 4;
  constexpr double fewest_to_go_on = 50;
  const Index levels = static_cast<Index>(state.mean.size()) / state.replicas;
  const auto scaled_variance = [&](Index level) {
    const Level l = pool_level(state, level);
    return static_cast<double>(Index{1} << level) * l.squares / (l.bins - 1);
  };
  WithinReplicas found{{not_known, 1, false}, {not_known, 1, false}};
  LongRunVariance& best = found.c;
  bool begun = false;
  for (Index level = 0; level < levels; ++level) {
    const double bins =
        static_cast<double>(state.samples >> level) * static_cast<double>(state.replicas);
    if (bins < 2) break;
    const double here = scaled_variance(level);
    if (here <= 0) return {{0, bins, true}, {0, bins, true}};
    if (std::isnan(best.value)) best = {here, bins - 1, false};
    if (level + 1 == levels || bins < (best.settled ? fewest_to_go_on : 2 * fewest_bins)) break;
    const double next = scaled_variance(level + 1);
    const double c = 2 * next - here;
    if (best.settled) {
      if (next - here <= needed_to_follow(begun) * std::sqrt(2 / bins) * best.value) {
        found.decayed = best;
        break;
      }
      begun = true;
      if (c > best.value) best = {c, bins / 5, true};
      continue;
    }
    const double correlation = next / here - 1;
    const double tau = c / (2 * variance);
    if (c > 0) best = {c, bins / 5, false};
    best.settled = correlation >= alternation_threshold(bins) && c > 0 &&
                   static_cast<double>(Index{1} << level) >= 5 * tau;
    if (best.settled) found.decayed = best;
  }
  return found;
}

}  // namespace

Estimate LogBinning::estimate() const {
  if (state_.samples == 0) return {not_known, not_known, not_known, 0, false};
  const Level all = pool_level(state_, 0);
  const double variance = all.squares / all.bins;
  const std::span<const double> replica_means(state_.mean.data(),
                                              static_cast<std::size_t>(state_.replicas));
  return conclude(all.mean, variance, plateau(state_, variance), replica_means, state_.samples);
}

namespace {

/// Blocks of consecutive samples, equal in every replica. Block b holds [edge(b), edge(b + 1)).
struct Blocks {
  Index samples, replicas, count;  ///< `count` in each replica

  Index edge(Index block) const { return block * samples / count; }
};

Blocks choose_blocks(Index samples, Index replicas, double tau) {
  constexpr Index fewest = 20, most = 1000;  // over all replicas
  const Index at_least = std::min(samples, (fewest + replicas - 1) / replicas);
  const Index at_most = std::max<Index>(at_least, most / replicas);
  const double fitting = static_cast<double>(samples) / std::max(5 * tau, 1.0);
  const double count =
      std::clamp(fitting, static_cast<double>(at_least), static_cast<double>(at_most));
  return {samples, replicas, static_cast<Index>(count)};
}

/// Sums over each block of each column, (column, block, replica).
std::vector<double> block_sums(const std::vector<std::span<const double>>& columns,
                               const Blocks& blocks) {
  std::vector<double> sums;
  for (const auto& column : columns)
    for (Index b = 0; b < blocks.count; ++b)
      for (Index r = 0; r < blocks.replicas; ++r) {
        double sum = 0;
        for (Index i = blocks.edge(b); i < blocks.edge(b + 1); ++i)
          sum += column[i * blocks.replicas + r];
        sums.push_back(sum);
      }
  return sums;
}

}  // namespace

Estimate jackknife(const std::vector<std::span<const double>>& columns, Index replicas,
                   const DerivedQuantity& quantity) {
  if (columns.empty()) throw InternalError("jackknife: a derived quantity needs columns");
  std::vector<double> means;
  double tau = 0;
  bool reliable = true;
  for (const auto& column : columns) {
    if (column.size() != columns[0].size())
      throw InternalError("jackknife: the columns differ in length");
    const Estimate plain = estimate_replicas(column, replicas);
    means.push_back(plain.value);
    tau = std::max(plain.autocorrelation_time, tau);  // NaN prevails
    reliable = reliable && plain.reliable;
  }
  const auto size = static_cast<Index>(columns[0].size());
  if (!std::isfinite(tau) || size < 2) return {not_known, not_known, not_known, size, false};

  const Blocks blocks = choose_blocks(size / replicas, replicas, tau);
  const std::vector<double> sums = block_sums(columns, blocks);
  const Index count = blocks.count * replicas;
  const double whole = quantity(means);
  double value = static_cast<double>(count) * whole;
  std::vector<double> pseudovalues, others(columns.size());
  for (Index k = 0; k < count; ++k) {
    const Index b = k / replicas;
    const auto inside = static_cast<double>(blocks.edge(b + 1) - blocks.edge(b));
    const double outside = static_cast<double>(size) - inside;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double sum = sums[c * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)];
      others[c] = means[c] + (means[c] * inside - sum) / outside;
    }
    const double without = quantity(others);
    value -= outside / static_cast<double>(size) * without;
    pseudovalues.push_back(whole + outside / inside * (whole - without));
  }
  const Estimate spread = estimate_replicas(pseudovalues, replicas);
  return {value, spread.error, tau, size, reliable && std::isfinite(spread.error)};
}

}  // namespace larmor
