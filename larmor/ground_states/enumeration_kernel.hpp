#pragma once
// Visits all states of a problem of few spins, prefix by prefix. The spins are numbered from 0:
// first the low spins, then the middle spins, then the spins of the prefix. The prefix stays fixed
// during a walk.
//
// A Gray code visits the states of the middle spins. Successive states differ by one flip, so
// additions update energies and fields. The settings of the low spins form a tree. Let the spins
// with numbers above i be fixed, and let f_i be the field on spin i. The two settings of spin i add
// f_i and -f_i to the energy, and each changes the fields on the spins with lower numbers. The tree
// costs about three additions per state and no multiplications, so all machines round in one way.

#include "larmor/core/maths/scalar_lanes.hpp"
#include "larmor/core/types.hpp"

namespace larmor::ground_states {

inline constexpr int low_spins = 8;
/// BITS: sums of real numbers are recomputed after 2^middle flips.
inline constexpr int most_middle_spins = 14;

template <class Number>
struct EnumerationView {
  Number among_low[low_spins][low_spins];  ///< J between low spins
  const Number* field;                     ///< h [spin]
  const Number* coupling;                  ///< J (spin, spin), symmetric; 0 on the diagonal
  int middle, prefix;

  LARMOR_INLINE int spins() const { return low_spins + middle + prefix; }
  LARMOR_INLINE Number J(int i, int j) const { return coupling[i * spins() + j]; }
};

/// The lowest energies of some states. A state is a number with a bit for each spin, 1 if the spin
/// is up.
template <class Number>
struct LowStates {
  /// Inputs: a state is a ground state if its energy is at most ground + tolerance.
  Number ground, tolerance;
  Number next;                              ///< least energy above ground + tolerance
  std::uint64_t count = 0;                  ///< number of ground states
  std::uint64_t first = ~std::uint64_t{0};  ///< the ground state that is least as a number

  /// Adds one state.
  LARMOR_INLINE void add(Number energy, std::uint64_t state) {
    if (energy > ground + tolerance) {
      if (energy < next) next = energy;
      return;
    }
    ++count;
    if (state < first) first = state;
  }
  /// Adds the states that `other` counts.
  LARMOR_INLINE void add(const LowStates& other) {
    count += other.count;
    if (other.next < next) next = other.next;
    if (other.first < first) first = other.first;
  }
  /// Can a set of states with this least energy change the result?
  LARMOR_INLINE bool is_worth(Number least) const {
    return least < next || least <= ground + tolerance;
  }
};

inline namespace LARMOR_ISA_NAMESPACE {

template <class Real>
LARMOR_INLINE Real lesser(const Real& a, const Real& b) {
#if defined(__CUDA_ARCH__)
  // This compiles to one instruction. It is valid because no energy is NaN.
  if constexpr (is_double<Real>)
    return fmin(a, b);
  else
    return fminf(a, b);
#else
  return select(a < b, a, b);
#endif
}

/// The lower energy of the two settings of a spin in a field.
template <class Real>
LARMOR_INLINE Real lower(const Real& energy, const Real& field) {
#if defined(__CUDA_ARCH__)
  return energy - fabs(field);
#else
  return lesser(energy + field, energy - field);
#endif
}

/// Least energy over the settings of the lowest `left` spins. @param field on each of these spins,
/// if only the other spins act
template <int left, class Real, class Number>
LARMOR_INLINE Real least_energy(const Number (&J)[low_spins][low_spins], const Real& energy,
                                const Real (&field)[left]) {
  if constexpr (left == 1) {
    return lower(energy, field[0]);
  } else {
    constexpr int last = left - 1;
    const Real up = energy + field[last], down = energy - field[last];
    Real of_up[last], of_down[last];
    for (int i = 0; i < last; ++i) {
      of_up[i] = field[i] + Real(J[last][i]);
      of_down[i] = field[i] - Real(J[last][i]);
    }
    return lesser(least_energy<last>(J, up, of_up), least_energy<last>(J, down, of_down));
  }
}

/// Adds the settings of the lowest `left` spins to `low`, one by one. It adds numbers in the order
/// of least_energy, so energies have equal bits.
/// @param bits the bits of all other spins
template <int left, class Number>
LARMOR_HD void add_all(const Number (&J)[low_spins][low_spins], Number energy,
                       const Number (&field)[left], std::uint64_t bits, LowStates<Number>& low) {
  constexpr int last = left - 1;
  for (int is_up = 0; is_up < 2; ++is_up) {
    const std::uint64_t setting = bits | (std::uint64_t(is_up) << last);
    const Number sum = is_up != 0 ? energy + field[last] : energy - field[last];
    if constexpr (left == 1) {
      low.add(sum, setting);
    } else {
      Number below[last];
      for (int i = 0; i < last; ++i)
        below[i] = is_up != 0 ? field[i] + J[last][i] : field[i] - J[last][i];
      add_all<last>(J, sum, below, setting, low);
    }
  }
}

LARMOR_INLINE int trailing_zeros(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// Walks over the states of the middle spins for one prefix.
template <class Real>
class EnumerationWalk {
 public:
  using Number = ScalarOf<Real>;

  /// Starts with all middle spins down. @param prefix_spin prefix_spin(k) is spin k of the prefix,
  /// -1 or 1
  template <class PrefixSpin>
  LARMOR_INLINE EnumerationWalk(const EnumerationView<Number>& view, const PrefixSpin& prefix_spin)
      : view_(view), energy_(Number(0)) {
    for (int i = 0; i < low_spins; ++i) low_[i] = Real(view.field[i]);
    for (int k = 0; k < view.middle; ++k) middle_[k] = Real(view.field[low_spins + k]);
    for (int k = 0; k < view.prefix; ++k) {
      const int i = low_spins + view.middle + k;
      Real field(view.field[i]);
      for (int other = 0; other < k; ++other)
        field = field + prefix_spin(other) * Real(view.J(i, low_spins + view.middle + other));
      energy_ = energy_ + prefix_spin(k) * field;
      act_on_fields(i, prefix_spin(k));
    }
    for (int k = 0; k < view.middle; ++k) {
      energy_ = energy_ - middle_[k];
      act_on_fields(low_spins + k, Real(Number(-1)));
    }
  }

  /// Calls visit(*this) for every state of the middle spins.
  template <class Visit>
  LARMOR_INLINE void run(const Visit& visit) {
    visit(*this);
    for (std::uint32_t step = 1; step < (1u << view_.middle); ++step) {
      flip(trailing_zeros(step));
      visit(*this);
    }
  }

  LARMOR_INLINE Real least() const { return least_energy(view_.among_low, energy_, low_); }
  LARMOR_INLINE const Real& energy() const { return energy_; }
  LARMOR_INLINE const Real& low(int i) const { return low_[i]; }
  /// Bits of the middle spins, at their places in a state.
  LARMOR_INLINE std::uint64_t bits() const { return std::uint64_t{up_} << low_spins; }

 private:
  const EnumerationView<Number>& view_;
  Real energy_;  ///< energy of prefix and middle spins
  Real low_[low_spins];
  Real middle_[most_middle_spins];
  std::uint32_t up_ = 0;

  LARMOR_INLINE void flip(int k) {
    const Number twice = ((up_ >> k) & 1u) != 0 ? Number(-2) : Number(2);
    energy_ = energy_ + Real(twice) * middle_[k];
    act_on_fields(low_spins + k, Real(twice));
    up_ ^= 1u << k;
  }

  LARMOR_INLINE void act_on_fields(int i, const Real& factor) {
    for (int other = 0; other < low_spins; ++other)
      low_[other] = low_[other] + factor * Real(view_.J(i, other));
    for (int k = 0; k < view_.middle; ++k)
      middle_[k] = middle_[k] + factor * Real(view_.J(i, low_spins + k));
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ground_states
