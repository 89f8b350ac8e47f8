// This file is compiled once per instruction set.

#include "larmor/ising/potts/lane_kernels.hpp"

#include <bit>

#include "larmor/ising/potts/selected_lanes.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

static_assert(block_replicas == lane_count);

using Real = PackOf<float>;
using Counts = PackBitsOf<float>;

/// Converts whole numbers of 32 bits.
LARMOR_INLINE Real in_single_precision(const Counts& numbers) {
  Real r;
  LARMOR_EACH_VECTOR(
      float, r.v[n] = __builtin_convertvector(reinterpret_cast<Native<float>::Mask>(numbers.v[n]),
                                              Native<float>::Number));
  return r;
}

LARMOR_INLINE PackBits in_64_bits(const Counts& numbers) {
  PackBits r;
#if defined(__AVX512F__)
  r.v[0] = reinterpret_cast<Native<double>::Bits>(
      _mm512_cvtepi32_epi64(reinterpret_cast<__m256i>(numbers.v[0])));
#else
  for (int l = 0; l < lane_count; ++l)
    r.set(l, static_cast<std::uint64_t>(static_cast<std::int32_t>(numbers.lane(l))));
#endif
  return r;
}

/// The couplings of a bond in all lanes. @tparam shared do all lanes have equal couplings?
template <bool shared>
LARMOR_INLINE Counts coupling_in_lanes(const std::int32_t* coupling, Index bond) {
  if constexpr (shared) {
    return Counts(static_cast<std::uint32_t>(coupling[bond]));
  } else {
    return to_bits(Real::load(reinterpret_cast<const float*>(coupling + bond * lane_count)));
  }
}

LARMOR_INLINE Real limited(Real a, float least, float most) {
#if defined(__AVX__)
  a.v[0] = _mm256_min_ps(_mm256_max_ps(a.v[0], _mm256_set1_ps(least)), _mm256_set1_ps(most));
  return a;
#else
  a = select(a < Real(least), Real(least), a);
  return select(a > Real(most), Real(most), a);
#endif
}

LARMOR_INLINE Real absolute(const Real& a) { return from_bits(to_bits(a) & Counts(0x7fffffffu)); }

/// Random words as numbers in units of 2^-32.
LARMOR_INLINE Real in_single_precision(const PackBits& random) {
  Real r;
#if defined(__AVX512DQ__)
  r.v[0] = _mm512_cvtepu64_ps(reinterpret_cast<__m512i>(random.v[0]));
#else
  // The last bit is left out, since the conversion reads numbers with a sign.
  r = in_single_precision(low_word(random) >> 1);
  r = r + r;
#endif
  return r;
}

/// 2^x, with a relative error of 4e-6, plus the effect of rounding x. The method is the polynomial
/// through the values of 2^x at five Chebyshev nodes of [-1/2, 1/2]. @param x between -120 and 120
LARMOR_INLINE Real power_of_two(const Real& x) {
  const Real shifted = x + Real(12582912.0F);
  const Real r = x - (shifted - Real(12582912.0F));
  Real p(0.009666368515384544F);
  p = p * r + Real(0.05592197584225601F);
  p = p * r + Real(0.24022349038020255F);
  p = p * r + Real(0.6931210452034271F);
  p = p * r + Real(1.0F);
  return from_bits(to_bits(p) + (to_bits(shifted) << 23));
}

template <Rule rule>
LARMOR_INLINE Real weight_of(const Real& exponent) {
  constexpr float most = 46, least = rule == Rule::metropolis ? 0.0F : -most;
  const Real weight = power_of_two(limited(exponent, least, most));
  return rule == Rule::metropolis ? weight : Real(1.0F) + weight;
}

/// Error of a random word and of a probability in single precision, in units of 2^-32.
constexpr float number_error = 1024;

/// Decides the lanes that are left open, exactly. @return lanes that get state 1
__attribute__((noinline)) unsigned decided_exactly(const PottsView& view, const LaneBlock& block,
                                                   Index position, unsigned open,
                                                   const PackBits& random) {
  unsigned ones = 0;
  for (; open != 0; open &= open - 1) {
    const int lane = std::countr_zero(open);
    const int state = updated_exactly(view, block, lane, position, random.lane(lane));
    ones |= static_cast<unsigned>(state) << lane;
  }
  return ones;
}

template <Rule rule, bool shared>
void update(const PottsView& given_view, const LaneBlock& given_block, Index first, Index last,
            std::uint64_t* changes) {
  // These are local copies, since a compiler must assume that stores of states change the
  // arguments.
  const PottsView view = given_view;
  const LaneBlock block = given_block;
  const Real factor = Real::load(block.factor), field = Real::load(block.field);
  const Real bar = Real::load(block.bar), margin = Real::load(block.margin);
  const unsigned real_lanes = (1u << block.replicas) - 1u;
  std::uint8_t* const bits = block.bits;
  PackBits replicas;
  for (int l = 0; l < lane_count; ++l) replicas.set(l, static_cast<std::uint64_t>(block.first + l));
  Counts counted(0);
  for (Index quad = first; quad < last; ++quad) {
    const RandomWords<PackBits> random =
        philox(view.key, PackBits(static_cast<std::uint64_t>(quad)), replicas);
#pragma GCC unroll 4
    for (Index k = 0; k < positions_of_key; ++k) {
      const Index position = quad * positions_of_key + k;
      if (view.site[position] < 0) break;
      Real local = field;
      const Index end = view.first_bond[position + 1];
      for (Index n = view.first_bond[position]; n < end; ++n)
        local = local +
                negated_where(bits[view.neighbour[n]],
                              in_single_precision(coupling_in_lanes<shared>(block.coupling, n)));
      const unsigned before = bits[position];
      const Real exponent =
          rule == Rule::heat_bath ? factor * local : negated_where(before, factor * local);
      const Real weight = weight_of<rule>(exponent);
      const Real beyond = in_single_precision(random.w[k]) * weight - bar;
      const unsigned reached = negative(beyond);
      const unsigned open =
          negative(absolute(beyond) - (weight * Real(number_error) + margin)) & real_lanes;
      unsigned after = rule == Rule::heat_bath ? ~reached & 0xffu : before ^ reached;
      if (open != 0) [[unlikely]]
        after =
            (after & ~open) | decided_exactly(given_view, given_block, position, open, random.w[k]);
      counted = added_where(before ^ after, counted, Counts(1));
      bits[position] = static_cast<std::uint8_t>(after);
    }
  }
  for (int l = 0; l < block.replicas; ++l) changes[l] += counted.lane(l);
}

template <bool shared>
void update_by_rule(const PottsView& view, const LaneBlock& block, Index first, Index last,
                    std::uint64_t* changes) {
  if (view.rule == Rule::metropolis)
    update<Rule::metropolis, shared>(view, block, first, last, changes);
  else if (view.rule == Rule::glauber)
    update<Rule::glauber, shared>(view, block, first, last, changes);
  else
    update<Rule::heat_bath, shared>(view, block, first, last, changes);
}

void update_block(const PottsView& view, const LaneBlock& block, Index first, Index last,
                  std::uint64_t* changes) {
  if (block.shares_couplings)
    update_by_rule<true>(view, block, first, last, changes);
  else
    update_by_rule<false>(view, block, first, last, changes);
}

void pack(const PottsView& view, const LaneBlock& block, Index first, Index last) {
  const std::uint8_t* row[lane_count];
  for (int l = 0; l < lane_count; ++l)
    row[l] =
        view.state + (block.first + (l < block.replicas ? l : block.replicas - 1)) * view.positions;
  std::uint8_t* const bits = block.bits;
  for (Index p = first; p < last; ++p) {
    std::uint8_t byte = row[lane_count - 1][p];
    for (int l = lane_count - 2; l >= 0; --l)
      byte = static_cast<std::uint8_t>(byte + byte + row[l][p]);
    bits[p] = byte;
  }
}

void unpack(const PottsView& view, const LaneBlock& block, Index first, Index last) {
  const std::uint8_t* const bits = block.bits;
  for (int l = 0; l < block.replicas; ++l) {
    std::uint8_t* const row = view.state + (block.first + l) * view.positions;
    const auto bit = static_cast<std::uint8_t>(1u << l);
    for (Index p = first; p < last; ++p) row[p] = (bits[p] & bit) != 0 ? 1 : 0;
  }
}

/// The sum of one lane.
LARMOR_INLINE Index whole(const Counts& sum, int lane) {
  return static_cast<std::int32_t>(sum.lane(lane));
}
LARMOR_INLINE Index whole(const PackBits& sum, int lane) {
  return static_cast<Index>(sum.lane(lane));
}

/// @tparam Sum Counts, or PackBits if Counts may overflow
template <class Sum, bool shared>
void sum_of(const PottsView& view, const LaneBlock& block, Index first, Index last, Index* sums) {
  const std::uint8_t* const bits = block.bits;
  Sum bonds(0);
  Counts ones(0);
  Index sites = 0;
  for (Index p = first; p < last; ++p) {
    if (view.site[p] < 0) continue;
    // Bonds to later positions are summed, so that each bond counts once. `all` sums all of them,
    // and `of_ones` those to neighbours in state 1.
    Sum all(0), of_ones(0);
    const Index begin = view.first_bond[p];
    for (Index n = view.first_bond[p + 1] - 1; n >= begin && view.neighbour[n] > p; --n) {
      const Counts J = coupling_in_lanes<shared>(block.coupling, n);
      const Sum wide = [&] {
        if constexpr (same_type<Sum, Counts>)
          return J;
        else
          return in_64_bits(J);
      }();
      all = all + wide;
      of_ones = added_where(bits[view.neighbour[n]], of_ones, wide);
    }
    const unsigned own = bits[p], other = ~own & 0xffu;
    bonds = bonds + added_where(other, negated_where(other, of_ones), all);
    ones = added_where(own, ones, Counts(1));
    ++sites;
  }
  for (int l = 0; l < block.replicas; ++l) {
    Index* const of = sums + 3 * l;
    const Index in_state_1 = whole(ones, l), in_state_0 = sites - in_state_1;
    const auto h = static_cast<Index>(view.field[block.first + l]);
    of[0] = 2 * (whole(bonds, l) + h * in_state_0);
    of[1] = in_state_0;
    of[2] = in_state_1;
  }
}

void sum_block(const PottsView& view, const LaneBlock& block, Index first, Index last,
               Index* sums) {
  if (block.has_small_sums && block.shares_couplings)
    sum_of<Counts, true>(view, block, first, last, sums);
  else if (block.has_small_sums)
    sum_of<Counts, false>(view, block, first, last, sums);
  else if (block.shares_couplings)
    sum_of<PackBits, true>(view, block, first, last, sums);
  else
    sum_of<PackBits, false>(view, block, first, last, sums);
}

#if defined(__AVX__)
constexpr int least_replicas = 1;
#else
constexpr int least_replicas = 4;
#endif

}  // namespace

const LaneKernels lane_kernels_table{least_replicas, pack, unpack, update_block, sum_block};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
