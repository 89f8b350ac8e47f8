#pragma once
// Updates and energies of a site of a Potts model,
//
//     H = - sum_<ij> J_ij delta(s_i, s_j) - h sum_i delta(s_i, 0),      s = 0 .. q - 1.
//
// The Ising model with s = +1 (state 0) and s = -1 (state 1) is the Potts model of q = 2, with
// couplings and field twice as large. The reason is s s' = 2 delta(s, s') - 1. Energies are whole
// numbers of a quantum.
//
// Four consecutive positions share random numbers, keyed by (position / 4, replica, step).

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/rule.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"

namespace larmor::ising {

/// Acceptance probabilities are in units of 2^-32.
inline constexpr std::uint64_t certain = std::uint64_t{1} << 32;
inline constexpr Index positions_of_key = 4;

/// Pointers and sizes that kernels read; the arrays are on the device. Positions are sites ordered
/// by colour. Positions that pad a colour to a multiple of four have no site.
struct PottsView {
  Index positions;
  std::int32_t states;            ///< q
  std::uint8_t* state;            ///< (replica, position)
  const std::int32_t* site;       ///< canonical number of the site; -1: none [position]
  const Index* first_bond;        ///< [position + 1]
  const std::int32_t* neighbour;  ///< positions of neighbours, in rising order for each position
                                  ///< [bond]
  const std::int32_t* coupling;   ///< in quanta (replica, bond)
  Index couplings_of_replica;     ///< 0: all replicas have equal couplings
  const double* field;            ///< h in quanta, a whole number [replica]
  Index most;                     ///< largest sum of a site's |couplings| and |field|, in quanta
  const std::uint64_t* table;     ///< see ProbabilityOfGain (replica, 2 most + 1); null: none
  const double* beta;             ///< 1 / k_B T [replica]
  double quantum;
  Rule rule;
  bool has_lazy_sweeps;  ///< are sweeps of Metropolis lazy in all replicas? Sweeps at beta = 0 are
                         ///< always lazy
  RandomKey key;
  std::uint64_t* accepted;  ///< number of changes of state, added to [replica]
};

/// The energy of a replica, computed from the sum of PottsEnergy over all positions. This sum has
/// every bond and field twice. In an Ising model, a delta counts two quanta.
struct EnergyOfReplica {
  double quantum;
  bool ising;
  const Index* constant;  ///< Ising: the constant in s s' = 2 delta(s, s') - 1, summed over bonds,
                          ///< in quanta [replica]
  Index constants;        ///< number of constants; 1: all replicas have one constant
  const double* field;    ///< h in quanta [replica]
  Index sites;

  /// @param sums sums of the replica, as in PottsSums
  LARMOR_INLINE double operator()(const double* sums, Index replica) const {
    const auto whole = static_cast<Index>(sums[0]);
    const Index quanta = ising ? constant[constants == 1 ? 0 : replica] +
                                     static_cast<Index>(field[replica]) * sites - whole
                               : -(whole / 2);
    return quantum * static_cast<double>(quanta);
  }
};

/// The factor of the field in beta H. It is - beta M, in quanta, with the moment M = sum_i s_i, or
/// M = sum_i delta(s_i, 0) for Potts spins. The field multiplies this factor, just as beta
/// multiplies the energy.
struct FieldFactorOfReplica {
  double quantum;
  bool ising;
  const double* beta;  ///< 1 / k_B T [replica]

  /// @param sums sums of the replica, as in PottsSums
  LARMOR_INLINE double operator()(const double* sums, Index replica) const {
    const double moment = ising ? sums[1] - sums[2] : sums[1];
    return -beta[replica] * (quantum * moment);
  }
};

inline namespace LARMOR_ISA_NAMESPACE {

LARMOR_INLINE std::uint64_t threshold_of(double probability) {
  return probability >= 1 ? certain : static_cast<std::uint64_t>(probability * 4294967296.0 + 0.5);
}

/// For Metropolis and Glauber, the probability of a move that lowers the energy by `gain` quanta.
/// For heat bath, the weight exp(beta gain) of a state, with gain <= 0.
LARMOR_INLINE std::uint64_t probability_of_gain(const PottsView& view, Index replica, Index gain) {
  const double exponent = view.beta[replica] * (view.quantum * static_cast<double>(gain));
  if (view.rule == Rule::glauber) return threshold_of(1 / (1 + exponential(-exponent)));
  return exponent >= 0 ? certain : threshold_of(exponential(exponent));
}

/// Fills the table of a replica, entry by entry.
struct ProbabilityOfGain {
  PottsView view;
  std::uint64_t* table;

  LARMOR_INLINE void operator()(Index entry, Index replica) const {
    const Index entries = 2 * view.most + 1;
    table[replica * entries + entry] = probability_of_gain(view, replica, entry - view.most);
  }
};

LARMOR_INLINE std::uint64_t tabulated(const PottsView& view, Index replica, Index gain) {
  if (view.table == nullptr) return probability_of_gain(view, replica, gain);
  return view.table[replica * (2 * view.most + 1) + view.most + gain];
}

/// The high 64 bits of a product of 128 bits.
LARMOR_INLINE std::uint64_t multiplied_high(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#endif
}

/// The states of a replica, by position, as in a PottsView.
struct StatesOfReplica {
  const std::uint8_t* state;

  LARMOR_INLINE StatesOfReplica(const PottsView& view, Index replica)
      : state(view.state + replica * view.positions) {}
  LARMOR_INLINE int operator()(Index position) const { return state[position]; }
};

/// The bonds of one position in one replica. @tparam States type that gives the states of the
/// replica by position
template <class States>
struct PottsSite {
  const PottsView& view;
  States state;
  const std::int32_t* coupling;
  Index first, last;
  Index h;  ///< in quanta

  LARMOR_INLINE PottsSite(const PottsView& potts, const States& states, Index position,
                          Index replica)
      : view(potts),
        state(states),
        coupling(potts.coupling + replica * potts.couplings_of_replica),
        first(potts.first_bond[position]),
        last(potts.first_bond[position + 1]),
        h(static_cast<Index>(potts.field[replica])) {}

  /// All bits if `taken`, otherwise none. The function has no branch, because a processor would
  /// predict half of such branches wrongly.
  static LARMOR_INLINE std::int32_t mask(bool taken) { return -static_cast<std::int32_t>(taken); }
  /// `sum_j J_ij delta(own, s_j) + h delta(own, 0)` if the site has the state `own`, in quanta.
  LARMOR_INLINE Index field(int own) const {
    Index sum = own == 0 ? h : 0;
    for (Index n = first; n < last; ++n) sum += coupling[n] & mask(state(view.neighbour[n]) == own);
    return sum;
  }
  LARMOR_INLINE Index gain(int from, int to) const {
    Index sum = (to == 0 ? h : 0) - (from == 0 ? h : 0);
    for (Index n = first; n < last; ++n) {
      const int other = state(view.neighbour[n]);
      sum += (coupling[n] & mask(other == to)) - (coupling[n] & mask(other == from));
    }
    return sum;
  }
};

/// Updates four positions of one replica. No two of these positions are neighbours.
struct PottsUpdate {
  PottsView view;

  LARMOR_INLINE void operator()(Index quad, Index replica) const {
    const auto key = static_cast<std::uint64_t>(quad), r = static_cast<std::uint64_t>(replica);
    const auto random = philox<std::uint64_t>(view.key, key, r);
    const bool proposes = view.states > 2 && view.rule != Rule::heat_bath;
    RandomWords<std::uint64_t> proposal{};
    if (proposes) proposal = philox<std::uint64_t>(view.key, key, r, 1);
    std::uint64_t accepted = 0;
    for (Index k = 0; k < positions_of_key; ++k) {
      const Index position = quad * positions_of_key + k;
      if (view.site[position] < 0) continue;
      std::uint8_t& state = view.state[replica * view.positions + position];
      const int before = state;
      const int after =
          updated(StatesOfReplica(view, replica), position, replica, random.w[k], proposal.w[k]);
      state = static_cast<std::uint8_t>(after);
      accepted += after != before ? 1 : 0;
    }
    if (accepted > 0) add(view.accepted + replica, accepted);
  }

  /// The new state of a position. @param states states of the replica
  /// @param random, proposal random words of the position
  template <class States>
  LARMOR_INLINE int updated(const States& states, Index position, Index replica,
                            std::uint64_t random, std::uint64_t proposal) const {
    const PottsSite<States> site(view, states, position, replica);
    if (view.rule == Rule::heat_bath) return drawn(site, replica, random);
    return moved(site, replica, states(position), random, proposal);
  }

 private:
  template <class Site>
  LARMOR_INLINE int moved(const Site& site, Index replica, int before, std::uint64_t random,
                          std::uint64_t proposal) const {
    const auto others = static_cast<std::uint64_t>(view.states - 1);
    int after = before + 1 + static_cast<int>((proposal * others) >> 32);
    if (after >= view.states) after -= view.states;
    const bool lazy = view.rule == Rule::metropolis && lattice::is_lazy_sweep(view.key.step) &&
                      (view.has_lazy_sweeps || view.beta[replica] == 0);
    const std::uint64_t below = tabulated(view, replica, site.gain(before, after));
    return random < (lazy ? below / 2 : below) ? after : before;
  }
  /// Draws a state with probability exp(beta field) divided by the sum of these weights over all
  /// states.
  template <class Site>
  LARMOR_INLINE int drawn(const Site& site, Index replica, std::uint64_t random) const {
    Index highest = site.field(0);
    for (int s = 1; s < view.states; ++s) {
      const Index field = site.field(s);
      highest = field > highest ? field : highest;
    }
    std::uint64_t all = 0;
    for (int s = 0; s < view.states; ++s) all += tabulated(view, replica, site.field(s) - highest);
    std::uint64_t left = multiplied_high(random << 32, all);
    for (int s = 0; s < view.states - 1; ++s) {
      const std::uint64_t weight = tabulated(view, replica, site.field(s) - highest);
      if (left < weight) return s;
      left -= weight;
    }
    return view.states - 1;
  }
  static LARMOR_INLINE void add(std::uint64_t* sum, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), value);
#else
    __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
  }
};

/// The sum of J_ij delta(s_i, s_j) over the bonds of a position, plus 2 h delta(s_i, 0). The sum
/// over all positions has each bond twice, once at each end.
struct PottsEnergy {
  PottsView view;

  LARMOR_INLINE Index operator()(Index position, Index replica) const {
    if (view.site[position] < 0) return 0;
    const int own = view.state[replica * view.positions + position];
    const PottsSite<StatesOfReplica> site(view, StatesOfReplica(view, replica), position, replica);
    return own == 0 ? site.field(own) + site.h : site.field(own);
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
