#pragma once
// Means of many numbers, for each replica and each block of frames. Errors follow from the scatter
// of these means.

#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::atoms {

struct MeanAndError {
  std::vector<double> value, error;  ///< error: NaN for fewer than two values
};

class BlockedMeans {
 public:
  BlockedMeans(Index replicas, Index numbers)
      : numbers_(numbers), values_(static_cast<std::size_t>(replicas)) {}

  /// @param values [replica, number]
  void add_block(std::span<const double> values);
  /// Replaces all blocks of a replica. @param values [block, number]
  void set(Index replica, std::span<const double> values);

  Index replicas() const { return static_cast<Index>(values_.size()); }
  Index numbers() const { return numbers_; }
  Index blocks() const { return static_cast<Index>(values_.front().size()) / numbers_; }
  /// Values of a replica [block, number].
  const std::vector<double>& values(Index replica) const {
    return values_[static_cast<std::size_t>(replica)];
  }
  double value(Index block, Index replica, Index number) const {
    return values(replica)[static_cast<std::size_t>(block * numbers_ + number)];
  }

  /// The mean over blocks and replicas. Its error (68.3 %) follows from the scatter of blocks and
  /// replicas.
  MeanAndError result() const;

  /// Appends the numbers of one replica. FORMAT: in checkpoints, the number of blocks comes before
  /// the values.
  void save(std::vector<double>& out, Index replica) const;
  /// Removes the numbers of the replica from the front of `saved`.
  void load(std::span<const double>& saved, Index replica);

 private:
  Index numbers_;
  std::vector<std::vector<double>> values_;
};

}  // namespace larmor::atoms
