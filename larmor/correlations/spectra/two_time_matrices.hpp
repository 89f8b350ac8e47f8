#pragma once
// The first and the latest sample of M trajectories, as matrices whose products are correlations in
// time. Slices of both are summed over pairs separately (matrix_columns.hpp).

#include <optional>
#include <span>

#include "larmor/correlations/pairs/operands/matrix_columns.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {

class TwoTimeMatrices {
 public:
  struct Settings {
    Index spins, sites;  ///< numbers in the lattice without and with vacancies
    Index replicas;      ///< number in the study
    Index samples;       ///< number that will be added
    bool connected;
    const Communicator* world;  ///< ranks that have the replicas; null: only this rank
  };
  TwoTimeMatrices(const Settings& settings, std::vector<MatrixColumns> column_blocks);

  const std::vector<MatrixColumns>& column_blocks() const { return column_blocks_; }
  Index column_block_count() const { return std::ssize(column_blocks_); }
  Index width() const { return width_of(column_blocks_); }
  Index added() const { return added_; }
  /// How ranks share the sums; null: only this rank sums.
  PairRanks* ranks() const { return ranks_.get(); }

  /// Gathers the spins of all replicas.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  const spins::SpinState& next(const spins::SpinState& own);
  /// Gathers the spins of all replicas, for forecasts, without a check of their number.
  const spins::SpinState& all_replicas(const spins::SpinState& own);

  /// Called before the first `take` of a run. Takes the first sample unless one was loaded.
  void begin(const spins::SpinState& state);
  /// Numbers of the first sample, (site, replica, 3).
  const std::vector<double>& first() const { return first_; }
  /// If there is one block of columns: the first sample, valid until the next `take`; otherwise
  /// null.
  const double* whole_first() const { return then_ ? nullptr : now_->data(); }

  void take(const spins::SpinState& state) { now_->take(state); }
  /// Slices of the first and the latest sample, (site, width). Valid until the next call of either.
  /// `of_first` returns null if there is one block of columns; use `whole_first` then.
  const double* of_first(const MatrixColumns& column_block);
  const double* of_now(const MatrixColumns& column_block);
  /// Counts the taken sample.
  void count() { ++added_; }

  /// Number of equal shares of a sample's work. @param sums over all pairs of each block of
  /// columns's numbers
  Index parts(const Device& device, Index sums) const;

  /// Appends the first sample and the number of samples to `saved`.
  void save(std::vector<double>& saved) const;
  /// @param of_sample numbers saved per sample @param of_first extra numbers of the first sample
  /// @return these numbers @throws InputError if the size does not fit
  std::span<const double> load(std::span<const double> saved, Index of_sample, Index of_first);

  /// Bytes of host memory.
  static double bytes(Index spins, Index replicas);
  /// Bytes on the device of the spins.
  static double working_bytes(Index spins, Index replicas,
                              const std::vector<MatrixColumns>& column_blocks);

 private:
  const double* taken(const SpinMatrix& matrix, const MatrixColumns& column_block);

  Settings settings_;
  std::vector<MatrixColumns> column_blocks_;
  Index added_ = 0;
  std::unique_ptr<PairRanks> ranks_;
  std::optional<SpinMatrix> now_,
      then_;  ///< then_: the first sample, if blocks of columns of it are needed
  Array<double> slice_;
  std::vector<double> first_;
};

}  // namespace larmor::correlations::real_space
