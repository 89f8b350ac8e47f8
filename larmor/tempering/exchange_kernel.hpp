#pragma once
// A pass over the ladders, in which pairs of neighbouring rungs exchange their replicas.

#include "larmor/core/device/device.hpp"
#include "larmor/tempering/exchange_rule.hpp"
#include "larmor/tempering/exchange_view.hpp"

namespace larmor::tempering {

/// The pairs of rungs (first_rung, first_rung + 1), (first_rung + 2, first_rung + 3), ... of every
/// ladder. All arrays are on the device.
struct ExchangePass {
  ExchangeView view;
  double* rung;              ///< of each replica [replica]
  std::int32_t* replica_at;  ///< (ladder, rung)
  double* accepted;          ///< exchanges of a rung with the next (ladder, rungs - 1)
  Index ladders, rungs, first_rung;
  RandomKey key;  ///< the site is the lower rung, the replica the ladder

  LARMOR_HD Index pairs_of_ladder() const { return (rungs - first_rung) / 2; }
  LARMOR_HD Index pairs() const { return ladders * pairs_of_ladder(); }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// One of the pairs, alone on its two replicas.
struct ExchangePair {
  ExchangePass pass;

  /// @param i of the pairs of all ladders
  LARMOR_INLINE void operator()(Index i) const {
    const Index ladder = i / pass.pairs_of_ladder();
    const Index rung = pass.first_rung + 2 * (i % pass.pairs_of_ladder());
    std::int32_t* const replica = pass.replica_at + ladder * pass.rungs + rung;
    const Index a = replica[0], b = replica[1];
    const double* const beta = pass.view.beta;
    const double* const energy = pass.view.energy;
    const double exponent = (beta[a] - beta[b]) * (energy[a] - energy[b]);
    if (!exchange_accepted(exponent, pass.key, rung, ladder)) return;
    swap(pass.view.beta[a], pass.view.beta[b]);
    for (Index n = 0; n < pass.view.tuned_numbers; ++n)
      swap(pass.view.tuned[a * pass.view.tuned_numbers + n],
           pass.view.tuned[b * pass.view.tuned_numbers + n]);
    if (pass.view.accepted != nullptr) swap(pass.view.accepted[a], pass.view.accepted[b]);
    swap(pass.rung[a], pass.rung[b]);
    swap(replica[0], replica[1]);
    pass.accepted[ladder * (pass.rungs - 1) + rung] += 1;
  }

 private:
  template <class T>
  static LARMOR_INLINE void swap(T& x, T& y) {
    const T kept = x;
    x = y;
    y = kept;
  }
};

}  // namespace LARMOR_ISA_NAMESPACE

/// All pairs of a pass. Compiled only where CUDA is found.
void exchange_on_gpu(const Device& device, const ExchangePass& pass);

}  // namespace larmor::tempering
