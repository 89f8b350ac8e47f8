#pragma once
// Inputs and totals of all factorised sums on a GPU.

#include "larmor/correlations/fourier/integer_totals.cuh"
#include "larmor/correlations/fourier/site_blocks.hpp"

namespace larmor::correlations {

/// Inputs as kernels read them.
struct SumInputsView {
  OwnedSiteBlocksView site_blocks;
  const double* q;         ///< wave vectors over 2 pi, (wave vector, 3)
  const double* position;  ///< positions of the spins in storage order, (3, spins)
  Totals totals;

  LARMOR_HD const SpinLayout& layout() const { return totals.layout; }
  LARMOR_HD Index wave_vectors() const { return totals.wave_vectors; }
};

class SumInputs {
 public:
  SumInputs(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state)
      : site_blocks_(state),
        totals_(state, q.size()),
        q_(state.device(), turns_of(q)),
        position_(state.device(), storage_positions(geometry, state)) {}

  SumInputsView view() const {
    return {site_blocks_.view(), q_.data(), position_.data(), totals_.view()};
  }
  /// Pending amplitudes of all sums since the last call.
  Pending read_and_reset() { return totals_.read_and_reset(); }

  /// Upper limit of bytes on the GPU.
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
    return IntegerTotals::bytes({geometry.sites(), replicas}, q.size()) +
           8 * static_cast<double>(3 * (q.size() + geometry.sites()));
  }

 private:
  OwnedSiteBlocks site_blocks_;
  IntegerTotals totals_;
  Array<double> q_, position_;
};

}  // namespace larmor::correlations
