#pragma once
// A pass over the ladders, in which pairs of neighbouring rungs exchange their replicas, and the
// way of replicas along the rungs is counted.

#include "larmor/core/device/device.hpp"
#include "larmor/tempering/exchange_rule.hpp"
#include "larmor/tempering/exchange_view.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::tempering {

/// The pairs of rungs (first_rung, first_rung + 1), (first_rung + 2, first_rung + 3), ... of every
/// ladder. All arrays are on the device.
struct ExchangePass {
  ExchangeView view;
  double* rung;              ///< of each replica [replica]
  std::int32_t* replica_at;  ///< (ladder, rung)
  double* accepted;          ///< exchanges of a rung with the next (ladder, rungs - 1)
  WalkerLabel* label;        ///< [replica]
  double* from_first;        ///< walkers that were at a rung with this label (ladder, rung)
  double* from_last;         ///< (ladder, rung)
  double* round_trips;       ///< that ended [replica]
  Index ladders, rungs, first_rung;
  RandomKey key;  ///< the site is the lower rung, the replica the ladder

  /// Pairs, and rungs at the ends that have no partner.
  LARMOR_HD Index places_of_ladder() const { return (rungs + first_rung + 1) / 2; }
  LARMOR_HD Index places() const { return ladders * places_of_ladder(); }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// One of the places, alone on its replicas.
struct ExchangePlace {
  ExchangePass pass;

  /// @param i of the places of all ladders
  LARMOR_INLINE void operator()(Index i) const {
    const Index ladder = i / pass.places_of_ladder();
    const Index lower = 2 * (i % pass.places_of_ladder()) - pass.first_rung;
    const bool has_lower = lower >= 0, has_upper = lower + 1 < pass.rungs;
    if (has_lower && has_upper) exchange(ladder, lower);
    if (has_lower) count(ladder, lower);
    if (has_upper) count(ladder, lower + 1);
  }

 private:
  LARMOR_INLINE void exchange(Index ladder, Index lower) const {
    std::int32_t* const replica = pass.replica_at + ladder * pass.rungs + lower;
    const Index a = replica[0], b = replica[1];
    const double* const beta = pass.view.beta;
    const double* const energy = pass.view.energy;
    const double exponent = (beta[a] - beta[b]) * (energy[a] - energy[b]);
    if (!exchange_accepted(exponent, pass.key, lower, ladder)) return;
    swap(pass.view.beta[a], pass.view.beta[b]);
    for (Index n = 0; n < pass.view.tuned_numbers; ++n)
      swap(pass.view.tuned[a * pass.view.tuned_numbers + n],
           pass.view.tuned[b * pass.view.tuned_numbers + n]);
    if (pass.view.accepted != nullptr) swap(pass.view.accepted[a], pass.view.accepted[b]);
    swap(pass.rung[a], pass.rung[b]);
    swap(replica[0], replica[1]);
    pass.accepted[ladder * (pass.rungs - 1) + lower] += 1;
  }

  LARMOR_INLINE void count(Index ladder, Index rung) const {
    const Index at = ladder * pass.rungs + rung;
    const Index replica = pass.replica_at[at];
    const WalkerLabel before = pass.label[replica];
    const WalkerLabel now = label_at(rung, pass.rungs, before);
    if (ends_round_trip(rung, before)) pass.round_trips[replica] += 1;
    pass.label[replica] = now;
    if (now == WalkerLabel::from_first) pass.from_first[at] += 1;
    if (now == WalkerLabel::from_last) pass.from_last[at] += 1;
  }

  template <class T>
  static LARMOR_INLINE void swap(T& x, T& y) {
    const T kept = x;
    x = y;
    y = kept;
  }
};

}  // namespace LARMOR_ISA_NAMESPACE

/// All places of a pass. Compiled only where CUDA is found.
void exchange_on_gpu(const Device& device, const ExchangePass& pass);

}  // namespace larmor::tempering
