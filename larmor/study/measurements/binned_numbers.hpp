#pragma once
// Averages several numbers of each replica by logarithmic binning, without storing series.

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class BinnedNumbers {
 public:
  /// Begins with no samples. @param replicas those of the process
  void begin(Index numbers, Index replicas);
  /// @param values (replica, number)
  void add(const std::vector<double>& values);
  /// Averages over all replicas, on the root; empty on other ranks. A collective operation.
  /// @param of_sample replicas that share a disorder sample, where the error is the scatter of
  /// samples; 0: all replicas are equivalent
  std::vector<Estimate> averages(const Ranks& ranks, Index of_sample) const;
  /// A collective operation.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param samples number of samples that will be taken
  static double bytes(Index numbers, Index replicas, Index samples);

 private:
  LogBinning::State state_of(const StageMemory& memory, std::size_t number, Index replicas) const;

  std::vector<LogBinning> binnings_;
};

}  // namespace larmor::study
