#pragma once
// Averages of several numbers that each replica has at each sample, by logarithmic binning: no
// series is kept.

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class BinnedNumbers {
 public:
  /// Forgets what it has. @param replicas of the process
  void begin(Index numbers, Index replicas);
  /// @param values (replica, number)
  void add(const std::vector<double>& values);
  /// Of all replicas, on the root; elsewhere nothing. All ranks come together.
  /// @param of_sample replicas that share a sample of frozen disorder: then the scatter of samples
  /// is the error; 0: all are alike
  std::vector<Estimate> averages(const Ranks& ranks, Index of_sample) const;
  /// All ranks come together.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param samples that will be taken
  static double bytes(Index numbers, Index replicas, Index samples);

 private:
  LogBinning::State state_of(const StageMemory& memory, std::size_t number, Index replicas) const;

  std::vector<LogBinning> binnings_;
};

}  // namespace larmor::study
