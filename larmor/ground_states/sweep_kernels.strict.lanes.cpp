#include <bit>

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/pack.hpp"
#include "larmor/ground_states/sweep_view.hpp"

namespace larmor::ground_states {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

static_assert(block_spins == lane_count);

/// Bit l of the result is the truth value of lane l.
template <class Number>
LARMOR_INLINE unsigned bits_of(const PackMaskOf<Number>& mask) {
  unsigned bits = 0;
  constexpr int lanes = Native<Number>::lanes;
  for (int n = 0; n < native_count<Number>; ++n) {
    const auto native = mask.v[n];
    unsigned mask_bits = 0;
#if defined(__AVX512F__)
    if constexpr (sizeof(Number) == 8)
      mask_bits = _mm512_movepi64_mask(reinterpret_cast<__m512i>(native));
    else
      mask_bits = static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(native)));
#elif defined(__AVX__)
    if constexpr (sizeof(Number) == 8)
      mask_bits = static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(native)));
    else
      mask_bits = static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(native)));
#else
    for (int l = 0; l < lanes; ++l) mask_bits |= native[l] != 0 ? 1u << l : 0u;
#endif
    bits |= mask_bits << (n * lanes);
  }
  return bits;
}

template <class Number>
class Walk {
  using Real = PackOf<Number>;

 public:
  Walk(const RowsView<Number>& rows, const ReplicaView<Number>& replica)
      : rows_(rows), replica_(replica) {}

  /// Visits the positions of a block one by one. Flips a spin s if s times its field is above
  /// -`limit`.
  LARMOR_INLINE void visit(Index block, const Real& limit) {
    unsigned flips = wanted(block, limit);
    const bool is_independent = rows_.is_independent[block] != 0;
    while (flips != 0) {
      const int lane = std::countr_zero(flips);
      flip(block * block_spins + lane);
      flips &= flips - 1;
      // The flip changes fields of later positions in the block, so these are compared again.
      if (!is_independent && lane + 1 < block_spins)
        flips = wanted(block, limit) & (~0u << (lane + 1));
    }
  }

  /// Visits the positions of a block one by one. Flips a spin s_i together with the partner s_p if
  /// s_i field_i + s_p field_p - 2 J_ip s_i s_p is above -`limit`.
  LARMOR_INLINE void visit_pairs(Index block, Index partner, const Real& limit) {
    const Number* const row =
        rows_.dense + partner * rows_.blocks * block_spins + block * block_spins;
    unsigned open = ~0u;
    if (partner / block_spins == block) open &= ~(1u << (partner % block_spins));
    for (unsigned flips;
         (flips = wanted_pairs(block, partner, Real::load(row), limit) & open) != 0;) {
      const int lane = std::countr_zero(flips);
      flip(block * block_spins + lane);
      flip(partner);
      open &= lane + 1 < block_spins ? ~0u << (lane + 1) : 0u;
    }
  }

  double change() const { return change_; }
  Index flips() const { return flips_; }

 private:
  LARMOR_INLINE unsigned wanted(Index block, const Real& limit) const {
    const Real spin = Real::load(replica_.spin + block * block_spins);
    const Real field = Real::load(replica_.field + block * block_spins);
    return bits_of<Number>(spin * field + limit > Real(0));
  }

  LARMOR_INLINE unsigned wanted_pairs(Index block, Index partner, const Real& coupling,
                                      const Real& limit) const {
    const Real spin = Real::load(replica_.spin + block * block_spins);
    const Real field = Real::load(replica_.field + block * block_spins);
    const Number of_partner = replica_.spin[partner];
    const Real single(of_partner * replica_.field[partner]);
    return bits_of<Number>(spin * (field - coupling * Real(2 * of_partner)) + single + limit >
                           Real(0));
  }

  LARMOR_INLINE void flip(Index position) {
    ++flips_;
    if (rows_.dense == nullptr) {
      change_ += flip_sparse(rows_, replica_, position);
      return;
    }
    const Number twice = -2 * replica_.spin[position];
    change_ += static_cast<double>(twice) * replica_.field[position];
    replica_.spin[position] = -replica_.spin[position];
    Number* const field = replica_.field;
    const Number* const row = rows_.dense + position * rows_.blocks * block_spins;
    const Real factor(twice);
    for (Index i = 0; i < rows_.blocks * block_spins; i += block_spins)
      (Real::load(field + i) + factor * Real::load(row + i)).store(field + i);
  }

  const RowsView<Number>& rows_;
  const ReplicaView<Number>& replica_;
  double change_ = 0;
  Index flips_ = 0;
};

/// The limit -(T / 2) log(u), with a uniform number u. A flip of s is accepted if s times its field
/// is above minus the limit.
template <class Number>
struct Limits {
  PackOf<Number> of_block[group_blocks];

  /// Computes all logarithms together. Each is a long chain of operations, and the chains do not
  /// depend on each other.
  LARMOR_INLINE Limits(const RandomWords<PackBits>& random, double half_temperature) {
    const PackOf<Number> factor(static_cast<Number>(-half_temperature));
    for (int w = 0; w < group_blocks; ++w)
      of_block[w] = factor * logarithm(uniform_32<PackOf<Number>>(random.w[w]));
  }
};

LARMOR_INLINE PackBits consecutive(std::uint64_t first) {
  PackBits numbers(first);
  for (int l = 0; l < lane_count; ++l) numbers.set(l, first + static_cast<std::uint64_t>(l));
  return numbers;
}

template <class Number>
double sweep(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
             double half_temperature, RandomKey key, Index of_replica, Index sweeps) {
  Walk<Number> walk(rows, replica);
  for (Index n = 0; n < sweeps; ++n, ++key.step)
    for (Index first = 0; first < rows.blocks; first += group_blocks) {
      // BITS: word w of Philox call 8 group + l decides on lane l of block w of the group.
      const auto group = static_cast<std::uint64_t>(first / group_blocks);
      const RandomWords<PackBits> random = philox(key, consecutive(group * lane_count),
                                                  PackBits(static_cast<std::uint64_t>(of_replica)),
                                                  static_cast<std::uint32_t>(DrawnFor::flips));
      const Limits<Number> limits(random, half_temperature);
      for (int w = 0; w < group_blocks && first + w < rows.blocks; ++w)
        walk.visit(first + w, limits.of_block[w]);
    }
  return walk.change();
}

template <class Number>
double sweep_pairs(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                   double half_temperature, const RandomKey& key, Index of_replica) {
  Walk<Number> walk(rows, replica);
  for (Index first = 0; first < rows.blocks; first += group_blocks) {
    const auto group = static_cast<std::uint64_t>(first / group_blocks);
    const auto name = static_cast<std::uint64_t>(of_replica);
    const RandomWords<PackBits> random =
        philox(key, consecutive(group * lane_count), PackBits(name),
               static_cast<std::uint32_t>(DrawnFor::pairs));
    const Limits<Number> limits(random, half_temperature);
    const auto partners =
        philox<std::uint64_t>(key, group, name, static_cast<std::uint32_t>(DrawnFor::partners));
    for (int w = 0; w < group_blocks && first + w < rows.blocks; ++w)
      walk.visit_pairs(
          first + w,
          static_cast<Index>((partners.w[w] * static_cast<std::uint64_t>(rows.spins)) >> 32),
          limits.of_block[w]);
  }
  return walk.change();
}

template <class Number>
double descend(const RowsView<Number>& rows, const ReplicaView<Number>& replica, double margin) {
  Walk<Number> walk(rows, replica);
  const PackOf<Number> limit(static_cast<Number>(-margin));
  for (Index flips = -1; flips != walk.flips();) {
    flips = walk.flips();
    for (Index block = 0; block < rows.blocks; ++block) walk.visit(block, limit);
  }
  return walk.change();
}

}  // namespace

const SweepKernelSet sweep_kernels_table{{sweep<float>, sweep_pairs<float>, descend<float>},
                                         {sweep<double>, sweep_pairs<double>, descend<double>}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ground_states
