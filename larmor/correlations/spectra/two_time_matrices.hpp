#pragma once
// The first sample of M trajectories and the one of now, as the matrices whose products are
// correlations in time, and the slices of both that are summed over pairs by themselves
// (jackknife_slices.hpp).

#include <optional>
#include <span>

#include "larmor/correlations/pairs/operands/jackknife_slices.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {

class TwoTimeMatrices {
 public:
  struct Settings {
    Index spins, sites;  ///< of the lattice, vacancies left out and not
    Index replicas;      ///< of the study
    Index samples;       ///< that will come
    bool connected;
    const Communicator* world;  ///< the ranks that have the replicas; null: this one
  };
  TwoTimeMatrices(const Settings& settings, std::vector<MatrixSlice> slices);

  const std::vector<MatrixSlice>& slices() const { return slices_; }
  Index slice_count() const { return std::ssize(slices_); }
  Index width() const { return width_of(slices_); }
  /// Samples that were added.
  Index added() const { return added_; }
  /// How ranks sum together; null: this one sums alone.
  PairRanks* ranks() const { return ranks_.get(); }

  /// The spins of all replicas. @throws InternalError beyond the samples announced, or for another
  /// number of sites or replicas
  const spins::SpinState& next(const spins::SpinState& own);
  /// The same for estimates, whatever was announced.
  const spins::SpinState& all_replicas(const spins::SpinState& own);

  /// Before the first `take` of a run: the sample is the first one where none was loaded.
  void begin(const spins::SpinState& state);
  /// Numbers of the first sample, (site, replica, 3).
  const std::vector<double>& first() const { return first_; }
  /// Where there is one slice: the first sample, until the next `take`; else null.
  const double* whole_first() const { return then_ ? nullptr : now_->data(); }

  void take(const spins::SpinState& state) { now_->take(state); }
  /// (site, width), until the next call of either. Of the first sample null where there is one
  /// slice: that is `whole_first`.
  const double* of_first(const MatrixSlice& slice);
  const double* of_now(const MatrixSlice& slice);
  /// What was taken counts as a sample.
  void count() { ++added_; }

  /// Equal parts of a sample's work. @param sums over all pairs of each slice's numbers
  Index parts(const Device& device, Index sums) const;

  /// Puts the first sample and the count behind what else is saved.
  void save(std::vector<double>& saved) const;
  /// @param of_sample numbers saved of each sample @param of_first of the first one besides
  /// @return these numbers @throws InputError unless the size fits
  std::span<const double> load(std::span<const double> saved, Index of_sample, Index of_first);

  /// Bytes of the host.
  static double bytes(Index spins, Index replicas);
  /// Bytes where the spins are.
  static double working_bytes(Index spins, Index replicas, const std::vector<MatrixSlice>& slices);

 private:
  const double* taken(const SpinMatrix& matrix, const MatrixSlice& slice);

  Settings settings_;
  std::vector<MatrixSlice> slices_;
  Index added_ = 0;
  std::unique_ptr<PairRanks> ranks_;
  std::optional<SpinMatrix> now_, then_;  ///< then_: the first sample, of which slices are taken
  Array<double> slice_;
  std::vector<double> first_;
};

}  // namespace larmor::correlations::real_space
