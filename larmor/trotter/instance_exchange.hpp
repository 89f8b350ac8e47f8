#pragma once
// Exchange of spins between instances that follow each other on a ladder (parallel tempering).
// Instances may differ in temperature, transverse fields, couplings and fields. With the logarithms
// S of their weights, the copies x of instance a and y of instance b are exchanged with probability
//
//   min(1, exp( S_a(y) + S_b(x) - S_a(x) - S_b(y) )).
//
// S of slices is not linear in any parameter, because K_i depends on dtau and Gamma_i.
//
// Source: K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604 (1996).

#include "larmor/trotter/continuous_time.hpp"
#include "larmor/trotter/replica_totals.hpp"

namespace larmor::trotter {

/// S of world lines in continuous time, without a constant of the instance; -inf for kinks of a
/// site without a transverse field.
double ln_weight(const Instance& instance, const LineSums& sums);

class InstanceExchange {
 public:
  /// @param rungs instances of a ladder: instance number n is rung n % rungs of ladder n / rungs
  /// @throws InputError unless instances fill whole ladders
  InstanceExchange(Index instances, Index copies, Index rungs, std::uint64_t seed, int threads);

  /// Proposes exchanges of rungs (parity, parity + 1), (parity + 2, parity + 3), ... for all
  /// copies.
  /// @param parity 0 or 1 @param step keys the random numbers: another one at each call
  /// @param totals those of the model of the state
  void propose(TrotterState& state, TotalsOfReplicas& totals, int parity, std::uint64_t step);
  void propose(ContinuousState& state, int parity, std::uint64_t step);

  /// Fraction of accepted exchanges of each rung with the next, over all ladders and copies; NaN
  /// before the first proposal [rungs - 1]
  std::vector<double> acceptance() const;

  /// Exchanges of each rung with the next, so that a run can be resumed [rungs - 1].
  struct Counts {
    std::vector<Index> proposed, accepted;
  };
  const Counts& counts() const { return counts_; }
  /// @throws InputError if sizes differ from those of the ladder
  void restore(const Counts& counts);

 private:
  /// @param weights S of each replica @param exchange called for replicas that are exchanged
  template <class Exchange>
  void propose_pairs(std::span<const ExchangeWeights> weights, int parity, std::uint64_t step,
                     const Exchange& exchange);

  Index copies_, rungs_, ladders_;
  std::uint64_t seed_;
  int threads_;
  Counts counts_;
};

}  // namespace larmor::trotter
