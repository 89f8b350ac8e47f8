#pragma once
// Averages over the samples of a quantum Monte Carlo stage, with error bars, in limited memory.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {

/// A series of each replica. If there are too many samples, pairs of neighbouring bins become one,
/// so that a bin holds 1, 2, 4, .. samples.
class ReplicaSeries {
 public:
  static constexpr Index most_bins = 2048;

  explicit ReplicaSeries(Index replicas) : open_(static_cast<std::size_t>(replicas)) {}

  /// Adds a sample. @param values one for each replica
  void add(std::span<const double> values);
  /// (bin, replica) of complete bins.
  const std::vector<double>& bins() const { return bins_; }
  Index replicas() const { return std::ssize(open_); }
  /// The mean. Its autocorrelation time is in samples, also if bins have several.
  Estimate average() const;
  /// The time in samples of an estimate from bins.
  double in_samples(double time_in_bins) const;

  /// FORMAT: (bin size, samples in the open bin, sums, sums of squares, then bins).
  void save(std::vector<double>& to) const;
  /// Reads the numbers of `save`, and returns the rest. @throws InputError for a damaged checkpoint
  std::span<const double> load(std::span<const double> from);

 private:
  void join_pairs();

  Index bin_size_ = 1, in_open_ = 0;
  std::vector<double> open_;  ///< sums of the open bin [replicas]
  std::vector<double> bins_;
  double sum_ = 0, squares_ = 0;  ///< sums over all values minus the first one
  double origin_ = 0;
  Index values_ = 0;
};

/// Means over blocks of time of many numbers. The blocks of a number are a series, whose
/// correlations count for the error.
class BlockedNumbers {
 public:
  /// Errors are certain to 10 % if blocks are longer than the autocorrelation time.
  static constexpr Index most_blocks = 256;
  /// For very many numbers: errors are certain to 20 %.
  static constexpr Index fewer_blocks = 64;
  static constexpr Index many_numbers = 1 << 16;

  /// @param samples number of samples that will be added
  BlockedNumbers(Index numbers, Index samples);

  /// Adds values. @param sample number of the sample @param values [numbers], sums over `count`
  /// samples and replicas
  void add(Index sample, std::span<const double> values, double count = 1);
  /// Does another block begin after this sample?
  bool ends_block(Index sample) const { return block_of(sample + 1) != block_of(sample); }
  /// The first sample of the block of a sample.
  Index block_begin(Index sample) const {
    return (block_of(sample) * samples_ + blocks() - 1) / blocks();
  }
  Index blocks() const { return std::ssize(weights_); }
  Index numbers() const { return numbers_; }
  /// The means of a number in all blocks.
  std::vector<double> of_number(Index number) const;
  /// The mean. Its autocorrelation time is in blocks.
  Estimate average(Index number) const;

  void save(std::vector<double>& to) const;
  /// Reads the numbers that `save` wrote. @return the numbers after them
  std::span<const double> load(std::span<const double> from);

  static Index blocks_of(Index numbers, Index samples) {
    return std::min(numbers > many_numbers ? fewer_blocks : most_blocks, samples);
  }
  static double bytes(Index numbers, Index samples) {
    return 8.0 * static_cast<double>(blocks_of(numbers, samples) * (numbers + 1));
  }

 private:
  Index block_of(Index sample) const { return sample * blocks() / samples_; }

  Index numbers_, samples_;
  std::vector<double> sums_;  ///< (block, number)
  std::vector<double> weights_;
};

}  // namespace larmor::study
