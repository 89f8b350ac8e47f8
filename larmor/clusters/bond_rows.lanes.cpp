#include <cstring>

#include "larmor/clusters/row_kernels.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::clusters {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

LARMOR_INLINE PackBits consecutive(std::uint64_t first) {
  PackBits r(first);
  for (int l = 0; l < lane_count; ++l) r.set(l, first + static_cast<std::uint64_t>(l));
  return r;
}

LARMOR_INLINE void store_words(const PackBits& a, std::uint32_t* out) {
  const PackBitsOf<float> low = low_word(a);
  std::memcpy(out, low.v, sizeof(low.v));
}

LARMOR_INLINE void store_bytes(const PackBits& a, std::uint8_t* out) {
  const PackBitsOf<float> low = low_word(a);
  constexpr int lanes = Native<float>::lanes;
  typedef std::uint8_t Bytes __attribute__((vector_size(lanes)));
  for (int n = 0; n < native_count<float>; ++n) {
    const Bytes bytes = __builtin_convertvector(low.v[n], Bytes);
    std::memcpy(out + n * lanes, &bytes, lanes);
  }
}

LARMOR_INLINE RandomWords<PackBits> words_of(const RandomKey& key, Index replica, Index group) {
  return philox(key, consecutive(static_cast<std::uint64_t>(group) * lane_count),
                PackBits(static_cast<std::uint64_t>(replica)));
}

template <int words_shift>
void below_of(const RandomKey& key, Index replica, std::uint32_t threshold, Index first_group,
              Index groups, std::uint8_t* bits) {
  constexpr int words = 1 << words_shift;
  const PackBits limit{std::uint64_t{threshold}};
  for (Index group = 0; group < groups; ++group) {
    const RandomWords<PackBits> drawn = words_of(key, replica, first_group + group);
    for (int slot = 0; slot < 4 / words; ++slot, bits += lane_count) {
      PackBits all(0);
      // Word and limit are below 2^32, so bit 63 of their difference is set if the word is below
      // the limit.
      for (int axis = 0; axis < words; ++axis)
        all = all | (((drawn.w[slot * words + axis] - limit) >> 63) << axis);
      store_bytes(all, bits);
    }
  }
}

void below(const RandomKey& key, Index replica, int words_shift, std::uint32_t threshold,
           Index first_group, Index groups, std::uint8_t* bits) {
  if (words_shift == 0)
    below_of<0>(key, replica, threshold, first_group, groups, bits);
  else if (words_shift == 1)
    below_of<1>(key, replica, threshold, first_group, groups, bits);
  else
    below_of<2>(key, replica, threshold, first_group, groups, bits);
}

void words(const RandomKey& key, Index replica, int words_shift, Index first_group, Index groups,
           std::uint32_t* out) {
  const int count = 1 << words_shift;
  for (Index group = 0; group < groups; ++group) {
    const RandomWords<PackBits> drawn = words_of(key, replica, first_group + group);
    for (int axis = 0; axis < count; ++axis)
      for (int slot = 0; slot < 4 / count; ++slot, out += lane_count)
        store_words(drawn.w[slot * count + axis], out);
  }
}

LARMOR_INLINE PackBits load_words(const std::uint64_t* from) {
  PackBits all;
  std::memcpy(all.v, from, sizeof(all.v));
  return all;
}

void words_of_calls(const RandomKey& key, Index replica, const std::uint64_t* calls,
                    const std::uint64_t* word, Index count, std::uint32_t* out) {
  // Takes `second` if all bits of the mask are set, otherwise `first`.
  const auto one_of = [](const PackBits& first, const PackBits& second, const PackBits& mask) {
    return first ^ ((first ^ second) & mask);
  };
  for (Index i = 0; i < count; i += lane_count) {
    const auto drawn =
        philox(key, load_words(calls + i), PackBits(static_cast<std::uint64_t>(replica)));
    const PackBits which = load_words(word + i);
    const PackBits odd = PackBits(0) - (which & PackBits(1)), high = PackBits(0) - (which >> 1);
    store_words(
        one_of(one_of(drawn.w[0], drawn.w[1], odd), one_of(drawn.w[2], drawn.w[3], odd), high),
        out + i);
  }
}

void keep_satisfied(const std::uint8_t* a, const std::uint8_t* b, Index count,
                    bool antiferromagnetic, std::uint8_t bit, std::uint8_t* bonds) {
  const auto others = static_cast<std::uint8_t>(~bit);
  const std::uint8_t of_equal = antiferromagnetic ? others : 0xff;
  const std::uint8_t of_unequal = antiferromagnetic ? 0xff : others;
  for (Index i = 0; i < count; ++i) bonds[i] &= a[i] == b[i] ? of_equal : of_unequal;
}

void label_words(const RandomKey& key, Index replica, const std::uint32_t* labels, Index count,
                 std::uint32_t* out) {
  for (Index i = 0; i < count; i += lane_count) {
    PackBits sites(0);
    for (int l = 0; l < lane_count; ++l) sites.set(l, labels[i + l]);
    const auto drawn = philox(key, sites, PackBits(static_cast<std::uint64_t>(replica)));
    store_words(drawn.w[0], out + i);
  }
}

}  // namespace

const BondRowKernels bond_row_kernels_table{below, words, words_of_calls, keep_satisfied,
                                            label_words};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
