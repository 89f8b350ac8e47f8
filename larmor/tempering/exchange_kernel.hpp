#pragma once
// The kernel of an exchange: pairs of replicas exchange their rungs or keep them, and the travel of
// replicas along the rungs is counted.

#include "larmor/core/device/device.hpp"
#include "larmor/tempering/exchange_rule.hpp"
#include "larmor/tempering/exchanges.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::tempering {

/// One exchange: the pairs of rungs (first_rung, first_rung + 1), (first_rung + 2, first_rung + 3),
/// ... in every ladder. All arrays are on the device.
struct ExchangePass {
  ExchangeView view;
  double* rung;              ///< rung of each replica [replica]
  std::int32_t* replica_at;  ///< (ladder, rung)
  double* accepted;          ///< accepted exchanges of a rung with the next (ladder, rungs - 1)
  WalkerLabel* label;        ///< [replica]
  double* from_first;   ///< visits to a rung by walkers with the label from_first (ladder, rung)
  double* from_last;    ///< visits by walkers with the label from_last (ladder, rung)
  double* round_trips;  ///< completed round trips [replica]
  Index ladders, rungs, first_rung;
  RandomKey key;  ///< its site is the lower rung, its replica the ladder

  /// Number of places of a ladder. A place is a pair, or a rung at an end that has no partner.
  LARMOR_HD Index places_of_ladder() const { return (rungs + first_rung + 1) / 2; }
  LARMOR_HD Index places() const { return ladders * places_of_ladder(); }

  friend bool operator==(const ExchangePass&, const ExchangePass&) = default;
};

/// Partial sums of the energies of replicas, written by earlier kernels: (block of eight replicas,
/// partial sum, 8).
struct PartialEnergies {
  const double* energy = nullptr;
  Index partials = 0;  ///< partial sums of each replica
};

inline namespace LARMOR_ISA_NAMESPACE {

/// One place of a pass. No other place touches its replicas.
class ExchangePlace {
 public:
  /// Reads the numbers that sweeps do not change. A GPU may do so before the sweeps have ended.
  /// @param i index among the places of all ladders
  LARMOR_INLINE ExchangePlace(const ExchangePass& pass, Index i)
      : ladder_(i / pass.places_of_ladder()),
        lower_(2 * (i % pass.places_of_ladder()) - pass.first_rung) {
    for (int k = 0; k < 2; ++k) {
      if (!has(pass, k)) continue;
      const Index at = ladder_ * pass.rungs + lower_ + k;
      replica_[k] = read_uncached(pass.replica_at + at);
      beta_[k] = read_uncached(pass.view.beta + replica_[k]);
      label_[k] = read_uncached(pass.label + replica_[k]);
      from_first_[k] = read_uncached(pass.from_first + at);
      from_last_[k] = read_uncached(pass.from_last + at);
      if (pass.view.tuned_numbers > 0)
        tuned_[k] = read_uncached(pass.view.tuned + replica_[k] * pass.view.tuned_numbers);
    }
    if (!is_pair(pass)) return;
    exchanges_ = read_uncached(pass.accepted + ladder_ * (pass.rungs - 1) + lower_);
    number_ = exchange_number(pass.key, lower_, ladder_);
  }
  /// Reads the counts of the sweeps. Call it after the sweeps have ended.
  LARMOR_INLINE void read_counts(const ExchangePass& pass) {
    for (int k = 0; k < 2; ++k)
      if (has(pass, k) && pass.view.accepted != nullptr)
        accepted_[k] = pass.view.accepted[replica_[k]];
  }

  /// Exchanges the replicas or rejects the exchange, then counts the replicas at their rungs.
  /// @param energy energies of the replicas from `first` on
  LARMOR_INLINE void decide(const ExchangePass& pass, const double* energy, Index first) {
    if (is_pair(pass)) exchange(pass, energy, first);
    for (int k = 0; k < 2; ++k)
      if (has(pass, k)) count(pass, k);
  }

 private:
  /// Reads past the cache of a multiprocessor, in which a kernel that begins early could find
  /// outdated numbers.
  template <class T>
  static LARMOR_INLINE T read_uncached(const T* number) {
    return *static_cast<const volatile T*>(number);
  }
  LARMOR_INLINE bool has(const ExchangePass& pass, int k) const {
    return lower_ + k >= 0 && lower_ + k < pass.rungs;
  }
  LARMOR_INLINE bool is_pair(const ExchangePass& pass) const {
    return has(pass, 0) && has(pass, 1);
  }

  LARMOR_INLINE void exchange(const ExchangePass& pass, const double* energy, Index first) {
    const Index a = replica_[0], b = replica_[1];
    const double exponent = (beta_[0] - beta_[1]) * (energy[a - first] - energy[b - first]);
    if (!exchange_accepted(exponent, number_)) return;
    pass.view.beta[a] = beta_[1];
    pass.view.beta[b] = beta_[0];
    const Index width = pass.view.tuned_numbers;
    if (width > 0) {
      pass.view.tuned[a * width] = tuned_[1];
      pass.view.tuned[b * width] = tuned_[0];
    }
    for (Index n = 1; n < width; ++n)
      swap(pass.view.tuned[a * width + n], pass.view.tuned[b * width + n]);
    if (pass.view.accepted != nullptr) {
      pass.view.accepted[a] = accepted_[1];
      pass.view.accepted[b] = accepted_[0];
    }
    pass.rung[a] = static_cast<double>(lower_ + 1);
    pass.rung[b] = static_cast<double>(lower_);
    swap(replica_[0], replica_[1]);
    swap(label_[0], label_[1]);
    for (int k = 0; k < 2; ++k)
      pass.replica_at[ladder_ * pass.rungs + lower_ + k] = static_cast<std::int32_t>(replica_[k]);
    pass.accepted[ladder_ * (pass.rungs - 1) + lower_] = exchanges_ + 1;
  }

  /// Counts the replica that now holds the rung `lower_` + k.
  LARMOR_INLINE void count(const ExchangePass& pass, int k) const {
    const Index rung = lower_ + k, at = ladder_ * pass.rungs + rung;
    const WalkerLabel before = label_[k], now = label_at(rung, pass.rungs, before);
    if (ends_round_trip(rung, before)) pass.round_trips[replica_[k]] += 1;
    pass.label[replica_[k]] = now;
    if (now == WalkerLabel::from_first) pass.from_first[at] = from_first_[k] + 1;
    if (now == WalkerLabel::from_last) pass.from_last[at] = from_last_[k] + 1;
  }

  template <class T>
  static LARMOR_INLINE void swap(T& x, T& y) {
    const T kept = x;
    x = y;
    y = kept;
  }

  Index ladder_, lower_;
  // Values at the rungs `lower_` and `lower_` + 1, if the ladder has these rungs. `tuned_` holds
  // only the first tuned number, because most samplers have no more.
  Index replica_[2]{};
  double beta_[2]{}, tuned_[2]{}, from_first_[2]{}, from_last_[2]{};
  std::uint64_t accepted_[2]{};
  WalkerLabel label_[2]{};
  double exchanges_ = 0, number_ = 0;
};

}  // namespace LARMOR_ISA_NAMESPACE

// Compiled only if CUDA is found.

/// Decides all places of a pass. The energies are those of the pass's view. Does not wait for the
/// GPU.
void exchange_on_gpu(const Device& device, const ExchangePass& pass);

/// Most rungs of a ladder whose energies exchange_behind_sweeps can add up.
inline constexpr Index most_rungs_behind_sweeps = 4000;

/// Decides all places with the partial energies that the preceding kernels write. The kernel begins
/// before these kernels have ended, and waits for them.
/// @param pass *first_step is added to its step
void exchange_behind_sweeps(const Device& device, const ExchangePass& pass,
                            const PartialEnergies& energies, const std::uint64_t* first_step);

}  // namespace larmor::tempering
