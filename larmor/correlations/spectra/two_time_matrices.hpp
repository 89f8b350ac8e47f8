#pragma once
// Holds the first and the latest sample of M trajectories, as matrices whose products are
// correlations in time. Each block of columns is summed over pairs separately (matrix_columns.hpp).

#include <optional>
#include <span>

#include "larmor/correlations/pairs/operands/matrix_columns.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {

class TwoTimeMatrices {
 public:
  struct Settings {
    Index spins, sites;  ///< numbers of sites without vacancies, and of all sites
    Index replicas;      ///< number of replicas in the study
    Index samples;       ///< number of samples that will be added
    bool connected;
    const Communicator* world;  ///< ranks that have the replicas; null: only this rank
  };
  TwoTimeMatrices(const Settings& settings, std::vector<MatrixColumns> column_blocks);

  const std::vector<MatrixColumns>& column_blocks() const { return column_blocks_; }
  Index column_block_count() const { return std::ssize(column_blocks_); }
  Index width() const { return width_of(column_blocks_); }
  Index added() const { return added_; }
  /// The ranks that share the sums; null: only this rank sums.
  PairRanks* ranks() const { return ranks_.get(); }

  /// Gathers the spins of all replicas.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  const spins::SpinState& next(const spins::SpinState& own);
  /// Gathers the spins of all replicas, for forecasts. It does not check how many samples are
  /// added.
  const spins::SpinState& all_replicas(const spins::SpinState& own);

  /// Must be called before the first `set_latest` of a run. If no first sample was loaded, `state`
  /// becomes the first sample.
  void begin(const spins::SpinState& state);
  /// Numbers of the first sample, (site, replica, 3).
  const std::vector<double>& first() const { return first_; }
  /// The first sample if there is one block of columns, otherwise null. It is valid until the next
  /// `set_latest`.
  const double* whole_first() const { return first_matrix_ ? nullptr : latest_->data(); }

  /// Sets the latest sample.
  void set_latest(const spins::SpinState& state) { latest_->fill(state); }
  /// Columns of the first and the latest sample, (site, width), on the device. Each is valid until
  /// the next call of `first_columns` or `latest_columns`. If there is one block of columns,
  /// `first_columns` returns null, and `whole_first` has the sample.
  const double* first_columns(const MatrixColumns& columns);
  const double* latest_columns(const MatrixColumns& columns);
  /// Counts the latest sample.
  void count() { ++added_; }

  /// Number of equal shares of a sample's work.
  /// @param sums number of sums over all pairs, for each block of columns
  Index share_count(const Device& device, Index sums) const;

  /// Appends the first sample and the number of samples to `saved`.
  void save(std::vector<double>& saved) const;
  /// Loads the first sample and the number of samples.
  /// @param numbers_of_sample count of the numbers saved for each sample
  /// @param numbers_of_first count of the numbers saved once, with the first sample
  /// @return both kinds of numbers @throws InputError if the size does not fit
  std::span<const double> load(std::span<const double> saved, Index numbers_of_sample,
                               Index numbers_of_first);

  /// Bytes of host memory.
  static double bytes(Index spins, Index replicas);
  /// Bytes on the device of the spins.
  static double working_bytes(Index spins, Index replicas,
                              const std::vector<MatrixColumns>& column_blocks);

 private:
  const double* copied_columns(const SpinMatrix& matrix, const MatrixColumns& columns);

  Settings settings_;
  std::vector<MatrixColumns> column_blocks_;
  Index added_ = 0;
  std::unique_ptr<PairRanks> ranks_;
  std::optional<SpinMatrix> latest_;
  std::optional<SpinMatrix> first_matrix_;  ///< null: there is one block of columns
  Array<double> column_copy_;               ///< (site, width), one block of columns
  std::vector<double> first_;
};

}  // namespace larmor::correlations::real_space
