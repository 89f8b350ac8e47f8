#include "larmor/quantum/product_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace larmor::quantum {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// The lowest three bits count within eight numbers.
constexpr int near_bits = 3, eight = 1 << near_bits;

using Eight [[gnu::vector_size(64)]] = double;
using Order [[gnu::vector_size(64)]] = std::int64_t;
/// Eight numbers anywhere in an array.
using EightOfArray [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = double;

/// A function that returned a vector would have another ABI on each instruction set.
const EightOfArray& load(const double* from) {
  return *reinterpret_cast<const EightOfArray*>(from);
}

void store(const Eight& numbers, double* to) { std::memcpy(to, &numbers, sizeof(numbers)); }

/// The sums of a diagonal over low sites, for both halves of the low bits.
struct HalfSums {
  double lower[Index{1} << half_bits], upper[Index{1} << half_bits];

  HalfSums(const DiagonalView& diagonal, Index high) {
    const int half = diagonal.half();
    fill(diagonal, high, 0, half, diagonal.high[high], lower);
    fill(diagonal, high, half, diagonal.low_bits, 0, upper);
  }

 private:
  static void fill(const DiagonalView& diagonal, Index high, int first, int last, double begin,
                   double* sums) {
    sums[0] = begin;
    for (int i = first; i < last; ++i) {
      const Index count = Index{1} << (i - first);
      const double f = diagonal.first[i] == diagonal.first[i + 1] ? 0 : diagonal.field(i, high);
      for (Index n = 0; n < count; ++n) {
        sums[count + n] = sums[n] + f;
        sums[n] -= f;
      }
    }
  }
};

/// out = diagonal in, and the flips of the lowest three bits.
void begin_tile(const LowPass& pass, const HalfSums& sums, const double* __restrict in,
                double* __restrict out) {
  const DiagonalView& diagonal = pass.diagonal;
  const Index elements = Index{1} << diagonal.low_bits;
  const int half = diagonal.half();
  const Index half_mask = diagonal.half_mask();
  if (elements < 2 * eight) {
    for (Index t = 0; t < elements; ++t) {
      out[t] = (diagonal.low[t] + sums.lower[t & half_mask] + sums.upper[t >> half]) * in[t];
      for (int bit = 0; bit < std::min(near_bits, diagonal.low_bits); ++bit)
        out[t] += pass.c[bit] * in[t ^ (Index{1} << bit)];
    }
    return;
  }
  constexpr Order turned_0{1, 0, 3, 2, 5, 4, 7, 6}, turned_1{2, 3, 0, 1, 6, 7, 4, 5},
      turned_2{4, 5, 6, 7, 0, 1, 2, 3};
  // Half of the low bits may be fewer than three.
  if (half < near_bits) {
    for (Index t = 0; t < elements; ++t)
      out[t] = (diagonal.low[t] + sums.lower[t & half_mask] + sums.upper[t >> half]) * in[t];
    for (Index t = 0; t < elements; t += eight) {
      const Eight v = load(in + t);
      store(load(out + t) + pass.c[0] * __builtin_shuffle(v, turned_0) +
                pass.c[1] * __builtin_shuffle(v, turned_1) +
                pass.c[2] * __builtin_shuffle(v, turned_2),
            out + t);
    }
    return;
  }
  for (Index t = 0; t < elements; t += eight) {
    const Eight v = load(in + t);
    const Eight energy =
        load(diagonal.low + t) + load(sums.lower + (t & half_mask)) + sums.upper[t >> half];
    store(energy * v + pass.c[0] * __builtin_shuffle(v, turned_0) +
              pass.c[1] * __builtin_shuffle(v, turned_1) +
              pass.c[2] * __builtin_shuffle(v, turned_2),
          out + t);
  }
}

/// Adds the flips of `count` bits from `bit` on. The stride is a multiple of eight numbers.
template <int count>
void add_flips(const double* c, int bit, Index elements, const double* __restrict in,
               double* __restrict out) {
  constexpr int numbers = 1 << count;
  const Index stride = Index{1} << bit;
  for (Index begin = 0; begin < elements; begin += stride << count)
    for (Index i = begin; i < begin + stride; i += eight) {
      Eight v[numbers];
#pragma GCC unroll 16
      for (int n = 0; n < numbers; ++n) v[n] = load(in + i + n * stride);
#pragma GCC unroll 16
      for (int n = 0; n < numbers; ++n) {
        Eight sum = load(out + i + n * stride);
#pragma GCC unroll 4
        for (int k = 0; k < count; ++k) sum += c[bit + k] * v[n ^ (1 << k)];
        store(sum, out + i + n * stride);
      }
    }
}

void add_all_flips(const double* c, int bit, int bits, const double* in, double* out) {
  const Index elements = Index{1} << bits;
  for (; bit + 3 <= bits; bit += 3) add_flips<3>(c, bit, elements, in, out);
  if (bits - bit == 2) add_flips<2>(c, bit, elements, in, out);
  if (bits - bit == 1) add_flips<1>(c, bit, elements, in, out);
}

/// Adds a term to the elements of a tile, in runs of contiguous states that it treats alike.
/// @param in the whole vector
void add_term(const FlipTerm& term, Index begin, int bits, const double* __restrict in,
              double* __restrict out) {
  const auto is_reversed = (term.flip & 1) != 0;
  const Index varying = is_reversed ? ~term.flip : term.flip;
  const int run_bits = std::min({bits, std::countr_zero(static_cast<std::uint64_t>(varying)),
                                 std::countr_zero(static_cast<std::uint64_t>(term.test))});
  const Index run = Index{1} << run_bits;
  for (Index t = 0; t < Index{1} << bits; t += run) {
    if (!term.applies_to(begin + t)) continue;
    const double* const from = in + ((begin + t) ^ term.flip);
    if (is_reversed)
      for (Index i = 0; i < run; ++i) out[t + i] += term.c * from[-i];
    else
      for (Index i = 0; i < run; ++i) out[t + i] += term.c * from[i];
  }
}

void low(const LowPass& pass, const double* in, double* out, Index first_tile, Index last_tile) {
  const int bits = pass.diagonal.low_bits;
  for (Index tile = first_tile; tile < last_tile; ++tile) {
    const Index begin = tile << bits;
    const HalfSums sums(pass.diagonal, tile);
    begin_tile(pass, sums, in + begin, out + begin);
    add_all_flips(pass.c, near_bits, bits, in + begin, out + begin);
    for (int n = 0; n < pass.term_count; ++n) add_term(pass.terms[n], begin, bits, in, out + begin);
  }
}

void high(const HighPass& pass, const double* in, double* out, Index first_tile, Index last_tile) {
  constexpr Index elements = Index{1} << tile_bits;
  const Index row = Index{1} << pass.chunk;
  alignas(64) double v[elements], sums[elements];
  for (Index tile = first_tile; tile < last_tile; ++tile) {
    const Index begin = pass.begin_of(tile);
    for (Index t = 0; t < elements; t += row) {
      std::copy_n(in + begin + pass.offset_of(t), row, v + t);
      std::copy_n(out + begin + pass.offset_of(t), row, sums + t);
    }
    add_all_flips(pass.c, pass.first_flip, tile_bits, v, sums);
    for (Index t = 0; t < elements; t += row)
      std::copy_n(sums + t, row, out + begin + pass.offset_of(t));
  }
}

/// The product for the states with the same high bits.
void exchange_block(const ExchangePass& pass, Index high, const double* __restrict in,
                    double* __restrict out) {
  const SpaceView& space = pass.space;
  const DiagonalView& diagonal = pass.diagonal;
  const Index states = space.states_of(high), first = space.first_of(high);
  const int up = space.low_up(high), half = diagonal.half();
  const Index half_mask = diagonal.half_mask();
  const HalfSums sums(diagonal, high);
  const double* const v = in + space.begin_of(high);
  double* const w = out + space.begin_of(high);
  for (Index r = 0; r < states; ++r) {
    const Index low = space.words[first + r];
    w[r] = (diagonal.low[first + r] + sums.lower[low & half_mask] + sums.upper[low >> half]) * v[r];
  }
  for (int n = 0; n < pass.low_count; ++n) {
    const Index* const bounds = pass.low_first + static_cast<Index>(up) * pass.low_count + n;
    const double c = pass.low_c[n];
    for (Index k = bounds[0]; k < bounds[1]; ++k) {
      const RankPair pair = pass.low_pairs[k];
      w[pair.a] += c * v[pair.b];
      w[pair.b] += c * v[pair.a];
    }
  }
  for (int n = 0; n < pass.high_count; ++n) {
    const Exchange& exchange = pass.high[n];
    if (count_up(high & exchange.bits) != 1) continue;
    const double* const other = in + space.begin_of(high ^ exchange.bits);
    for (Index r = 0; r < states; ++r) w[r] += exchange.c * other[r];
  }
  for (int n = 0; n < pass.across_count; ++n) {
    const Exchange& exchange = pass.across[n];
    const bool lowers = (high & exchange.bits) == 0;
    // The pairs are sorted by the smaller number of low spins up.
    const int fewer = lowers ? up - 1 : up;
    if (fewer < 0 || fewer >= space.low_bits) continue;
    const double* const other = in + space.begin_of(high ^ exchange.bits);
    const Index* const bounds =
        pass.raise_first + static_cast<Index>(fewer) * space.low_bits + pass.across_site[n];
    for (Index k = bounds[0]; k < bounds[1]; ++k) {
      const RankPair pair = pass.raise_pairs[k];
      if (lowers)
        w[pair.b] += exchange.c * other[pair.a];
      else
        w[pair.a] += exchange.c * other[pair.b];
    }
  }
}

void exchange(const ExchangePass& pass, const double* in, double* out, Index first_high,
              Index last_high) {
  for (Index high = first_high; high < last_high; ++high)
    if (pass.space.states_of(high) > 0) exchange_block(pass, high, in, out);
}

}  // namespace

const ProductKernels product_kernels_table{low, high, exchange};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::quantum
