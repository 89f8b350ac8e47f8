// Compiled without contraction: a GPU decides the same.

#include "larmor/clusters/embedded_rows.hpp"

#include <cstring>

#include "larmor/clusters/embedded_view.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::clusters {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using Floats = PackOf<float>;
using FloatBits = PackBitsOf<float>;

/// Eight bonds. @return which are active, bit by bit
LARMOR_INLINE unsigned active_of_eight(const float* a, const float* b, const std::uint32_t* words,
                                       float K) {
  const Floats exponent = bond_exponent(Floats(K), Floats::load(a), Floats::load(b));
  FloatBits word;
  std::memcpy(word.v, words, sizeof(word.v));
  // uniform_32<float>, of words that are 32 bits wide.
  const Floats uniform = (from_bits((word >> 9) | FloatBits(0x3f800000u)) - Floats(1.0f)) +
                         Floats(5.9604644775390625e-8f);
  const auto active = (exponent < Floats(0.0f)) & (exponential(exponent) < uniform);
  unsigned bits = 0;
  for (int l = 0; l < lane_count; ++l) bits |= (active.lane(l) ? 1u : 0u) << l;
  return bits;
}

void activate(const float* a, const float* b, const std::uint32_t* words, Index count, float K,
              std::uint8_t bit, std::uint8_t* bonds) {
  const auto put = [&](unsigned active, Index first, Index n) {
    for (Index l = 0; l < n; ++l)
      if ((active >> l & 1u) != 0)
        bonds[first + l] = static_cast<std::uint8_t>(bonds[first + l] | bit);
  };
  Index i = 0;
  for (; i + lane_count <= count; i += lane_count)
    put(active_of_eight(a + i, b + i, words + i, K), i, lane_count);
  if (i == count) return;
  const auto left = static_cast<std::size_t>(count - i);
  float last_a[lane_count] = {}, last_b[lane_count] = {};
  std::uint32_t last_words[lane_count] = {};
  std::memcpy(last_a, a + i, left * sizeof(float));
  std::memcpy(last_b, b + i, left * sizeof(float));
  std::memcpy(last_words, words + i, left * sizeof(std::uint32_t));
  put(active_of_eight(last_a, last_b, last_words, K), i, count - i);
}

}  // namespace

extern const EmbeddedRowKernels embedded_row_kernels_of_set;
const EmbeddedRowKernels embedded_row_kernels_of_set{activate};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
