#pragma once
// Averages numbers of every rung of every ladder without a series of all samples: by logarithmic
// binning, and for functions of several averages by means over blocks of samples.

#include <span>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class RungStatistics {
 public:
  /// Begins with no samples. @param columns numbers of a rung @param threads that add a sample
  void begin(Index columns, Index rungs, Index ladders, int threads);
  /// Adds a sample. @param values (column, rung, ladder)
  void add(const std::vector<double>& values);

  Index samples() const { return samples_; }
  Index columns() const { return columns_; }
  /// The mean over the ladders, which count as independent samples.
  Estimate mean(Index column, Index rung) const;
  /// The mean of each ladder.
  std::span<const double> means(Index column, Index rung) const {
    return std::span(binning(column, rung).state().mean).first(static_cast<std::size_t>(ladders_));
  }
  /// Means over blocks of equally many samples; the last samples may be in no block.
  std::vector<double> blocks(Index column, Index rung) const;

  void save(StageMemory& memory) const;
  void load(const StageMemory& memory);

  /// @param samples number of samples that will be added
  static double bytes(Index columns, Index rungs, Index ladders, Index samples);

 private:
  const LogBinning& binning(Index column, Index rung) const {
    return binnings_[static_cast<std::size_t>(column * rungs_ + rung)];
  }
  void join_blocks();

  Index columns_ = 0, rungs_ = 0, ladders_ = 0;
  int threads_ = 1;
  Index samples_ = 0;
  std::vector<LogBinning> binnings_;  ///< (column, rung)
  Index block_length_ = 1;            ///< samples
  std::vector<double> blocks_;        ///< means (block, column, rung, ladder)
  std::vector<double> open_;          ///< sums of the unfinished block (column, rung, ladder)
};

}  // namespace larmor::study
