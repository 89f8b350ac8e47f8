#pragma once
// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11). A number is a
// function of (seed, stream, replica, site, step, block), so there is no state to store.

#include "larmor/core/maths/scalar_lanes.hpp"

namespace larmor {

/// BITS: every use of random numbers has its own stream. Never renumber.
enum class Stream : std::uint8_t {
  initial_configuration = 0,
  metropolis = 1,
  heat_bath = 2,
  over_relaxation = 3,
  thermal_field = 4,
  random_field = 5,
  random_bond = 6,
  perturbation = 7,
  occupancy = 8,
  temperature_exchange = 9,
  ising_update = 10,
  bond_sign = 11,
  cluster_bond = 12,
  cluster_state = 13,
  wolff_seed = 14,
  field_update = 15,
  reflection_axis = 16,
  sample_update = 17,
  atom_velocity = 18,
  atom_noise = 19,
  kinetic_energy_noise = 20,
  cell_noise = 21,
  population = 24,
  problem_update = 25,
  lanczos = 26,
  typical_state = 27,
  trotter_update = 30,
  trotter_line = 31,
  trotter_cluster = 32,
  world_line = 33,
  segment_seed = 40,
  segment_noise = 41,
  parallel_replica = 42,
  segment_prediction = 43,
  worker_failure = 44,
  waiting_time = 45,
};

/// BITS: the random key of a site. The lane adds the site and the replica.
struct RandomKey {
  std::uint64_t seed;
  std::uint64_t step;  ///< counted over the whole study, below 2^40
  Stream stream;
  std::uint64_t first_replica = 0;  ///< replica of the study that kernels number 0

  friend bool operator==(const RandomKey&, const RandomKey&) = default;
};

inline namespace LARMOR_ISA_NAMESPACE {

/// Four 32-bit words per lane, each in the low half of 64 bits.
template <class Bits>
struct RandomWords {
  Bits w[4];
};

/// The type in which Philox computes: the lanes themselves, whose high halves are arbitrary; for
/// one lane 32 bits.
template <class Bits>
struct PhiloxWord {
  using Type = Bits;
};
template <>
struct PhiloxWord<std::uint64_t> {
  using Type = std::uint32_t;
};
LARMOR_INLINE std::uint64_t multiply_wide(std::uint32_t a, std::uint32_t m) {
#if defined(__CUDA_ARCH__)
  // Otherwise the compiler multiplies 64-bit numbers with three instructions.
  std::uint64_t product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(m));
  return product;
#else
  return std::uint64_t{a} * m;
#endif
}

/// @param site, replica canonical indices, below 2^40 and 2^24; `replica` is relative to the key's
/// first_replica
template <class Bits>
LARMOR_INLINE RandomWords<Bits> philox(const RandomKey& key, Bits site, Bits replica,
                                       std::uint32_t block = 0) {
  using Word = typename PhiloxWord<Bits>::Type;
  replica = replica + Bits(key.first_replica);
  // BITS: counter = site 40 | step 40 | replica 24 | stream 8 | block 16, least significant first
  auto c0 = Word(site);
  auto c1 = Word((site >> 32) | Bits((key.step & 0xffffffull) << 8));
  auto c2 = Word(Bits((key.step >> 24) & 0xffffull) | ((replica & Bits(0xffffull)) << 16));
  auto c3 = Word((replica >> 16) | Bits((static_cast<std::uint64_t>(key.stream) << 8) |
                                        (static_cast<std::uint64_t>(block) << 16)));
  std::uint32_t k0 = static_cast<std::uint32_t>(key.seed);
  std::uint32_t k1 = static_cast<std::uint32_t>(key.seed >> 32);
#if !defined(__CUDACC__)
#pragma GCC unroll 10
#endif
  for (int round = 0; round < 10; ++round) {
    // multiply_wide reads only the low halves, so the high halves may be arbitrary.
    const Bits p0 = multiply_wide(c0, 0xD2511F53u);
    const Bits p1 = multiply_wide(c2, 0xCD9E8D57u);
    c0 = Word(p1 >> 32) ^ c1 ^ Word(k0);
    c1 = Word(p1);
    c2 = Word(p0 >> 32) ^ c3 ^ Word(k1);
    c3 = Word(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const Bits low(0xffffffffull);
  return {{Bits(c0) & low, Bits(c1) & low, Bits(c2) & low, Bits(c3) & low}};
}

/// BITS: uniform in (0, 1), never 0 or 1, from one 32-bit word: (w + 1/2) / 2^32; in float from its
/// upper 23 bits.
template <class Real>
LARMOR_INLINE Real uniform_32(const typename LaneTypes<Real>::Words& w) {
  using Bits = typename LaneTypes<Real>::Bits;
  if constexpr (is_double<Real>) {
    const Real integer = from_bits(w | Bits(0x4330000000000000ull)) - Real(4503599627370496.0);
    return (integer + Real(0.5)) * Real(1.0 / 4294967296.0);
  } else {
    const Bits mantissa = (low_word(w) >> 9) | Bits(0x3f800000u);
    return (from_bits(mantissa) - Real(1.0f)) + Real(5.9604644775390625e-8f);
  }
}

/// BITS: uniform in (0, 1), never 0 or 1, with 52 bits from two words; in float with 23 bits from
/// the first.
template <class Real>
LARMOR_INLINE Real uniform_52(const typename LaneTypes<Real>::Words& high,
                              const typename LaneTypes<Real>::Words& low) {
  if constexpr (is_double<Real>) {
    using Bits = typename LaneTypes<Real>::Bits;
    const Bits mantissa = (high << 20) | (low >> 12);
    return (from_bits(mantissa | Bits(0x3ff0000000000000ull)) - Real(1.0)) +
           Real(1.1102230246251565e-16);
  } else {
    return uniform_32<Real>(high);
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
