#pragma once
// Two replicas exchange their temperatures (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604
// (1996)). With energies E_a and E_b at inverse temperatures beta_a and beta_b they do so with
// probability
//     min(1, exp((beta_a - beta_b) (E_a - E_b))),
// which leaves the product of their Boltzmann distributions unchanged.

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/study/sampling/exchange_view.hpp"

namespace larmor::study {

/// The pairs of rungs (first_rung, first_rung + 1), (first_rung + 2, first_rung + 3), ... of every
/// copy of a ladder. All arrays are on the device.
struct ExchangePass {
  ExchangeView view;
  double* rung;              ///< of each replica [replica]
  std::int32_t* replica_at;  ///< (copy, rung)
  double* accepted;          ///< exchanges of a rung with the next (copy, rung)
  Index copies, rungs, first_rung;
  RandomKey key;  ///< the site is the lower rung, the replica the copy

  LARMOR_HD Index pairs_of_copy() const { return (rungs - first_rung) / 2; }
  LARMOR_HD Index pairs() const { return copies * pairs_of_copy(); }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// One of the pairs, alone on its two replicas.
struct ExchangePair {
  ExchangePass pass;

  /// @param i of the pairs of all copies
  LARMOR_INLINE void operator()(Index i) const {
    const Index copy = i / pass.pairs_of_copy();
    const Index rung = pass.first_rung + 2 * (i % pass.pairs_of_copy());
    std::int32_t* const replica = pass.replica_at + copy * pass.rungs + rung;
    const Index a = replica[0], b = replica[1];
    const double* const beta = pass.view.beta;
    const double* const energy = pass.view.energy;
    const double exponent = (beta[a] - beta[b]) * (energy[a] - energy[b]);
    const auto random = philox<std::uint64_t>(pass.key, static_cast<std::uint64_t>(rung),
                                              static_cast<std::uint64_t>(copy));
    // Energies that are not finite exchange nothing.
    const double probability = exponent < 0 ? exponential(exponent) : (exponent >= 0 ? 1 : 0);
    if (uniform_52<double>(random.w[0], random.w[1]) >= probability) return;
    swap(pass.view.beta[a], pass.view.beta[b]);
    for (Index n = 0; n < pass.view.tuned_numbers; ++n)
      swap(pass.view.tuned[a * pass.view.tuned_numbers + n],
           pass.view.tuned[b * pass.view.tuned_numbers + n]);
    if (pass.view.accepted != nullptr) swap(pass.view.accepted[a], pass.view.accepted[b]);
    swap(pass.rung[a], pass.rung[b]);
    swap(replica[0], replica[1]);
    pass.accepted[copy * (pass.rungs - 1) + rung] += 1;
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

}  // namespace larmor::study
