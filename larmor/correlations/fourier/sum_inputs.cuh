#pragma once
// What factorised sums on a GPU read and add to, whatever kernels they have.

#include "larmor/correlations/fourier/integer_totals.cuh"
#include "larmor/correlations/fourier/owned_site_blocks.hpp"
#include "larmor/correlations/fourier/storage_positions.hpp"

namespace larmor::correlations {

/// As kernels see it.
struct SumInputsView {
  OwnedSiteBlocksView parts;
  const double* q;         ///< over 2 pi, (wave vector, 3)
  const double* position;  ///< of the spins in storage order, (3, spins)
  Totals totals;

  LARMOR_HD const SpinLayout& layout() const { return totals.layout; }
  LARMOR_HD Index wave_vectors() const { return totals.wave_vectors; }
};

class SumInputs {
 public:
  SumInputs(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state)
      : parts_(state),
        totals_(state, q.size()),
        q_(state.device(), turns_of(q)),
        position_(state.device(), storage_positions(geometry, state)) {}

  SumInputsView view() const {
    return {parts_.view(), q_.data(), position_.data(), totals_.view()};
  }
  /// IntegerTotals::take
  Pending take() { return totals_.take(); }

  /// Bytes on the GPU, at most.
  static double bytes(const lattice::Geometry& geometry, const QList& q, Index replicas) {
    return IntegerTotals::bytes({geometry.sites(), replicas}, q.size()) +
           8 * static_cast<double>(3 * (q.size() + geometry.sites()));
  }

 private:
  OwnedSiteBlocks parts_;
  IntegerTotals totals_;
  Array<double> q_, position_;
};

}  // namespace larmor::correlations
