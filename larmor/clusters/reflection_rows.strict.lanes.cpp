// Compiled without contraction, so that GPU and CPU decide equally.

#include <cstring>

#include "larmor/clusters/reflection_cluster_view.hpp"
#include "larmor/clusters/row_kernels.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::clusters {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using Floats = PackOf<float>;
using FloatBits = PackBitsOf<float>;

/// Tests eight bonds. @param active `bit` for active bonds, 0 for others
LARMOR_INLINE void active_of_eight(const float* a, const float* b, const std::uint32_t* words,
                                   float K, std::uint32_t bit, std::uint32_t* active) {
  const Floats exponent = bond_exponent(Floats(K), Floats::load(a), Floats::load(b));
  FloatBits word;
  std::memcpy(word.v, words, sizeof(word.v));
  // uniform_32<float>, for words of 32 bits.
  const Floats uniform = (from_bits((word >> 9) | FloatBits(0x3f800000u)) - Floats(1.0f)) +
                         Floats(5.9604644775390625e-8f);
  const auto are = (exponent < Floats(0.0f)) & (exponential(exponent) < uniform);
  static_assert(sizeof(are.v) == lane_count * sizeof(std::uint32_t));
  std::memcpy(active, are.v, sizeof(are.v));
  for (int l = 0; l < lane_count; ++l) active[l] &= bit;
}

void activate(const float* a, const float* b, const std::uint32_t* words, Index count, float K,
              std::uint8_t bit, std::uint8_t* bonds) {
  std::uint32_t active[lane_count];
  Index i = 0;
  for (; i + lane_count <= count; i += lane_count) {
    active_of_eight(a + i, b + i, words + i, K, bit, active);
    for (int l = 0; l < lane_count; ++l)
      bonds[i + l] = static_cast<std::uint8_t>(bonds[i + l] | active[l]);
  }
  if (i == count) return;
  const auto left = static_cast<std::size_t>(count - i);
  float last_a[lane_count] = {}, last_b[lane_count] = {};
  std::uint32_t last_words[lane_count] = {};
  std::memcpy(last_a, a + i, left * sizeof(float));
  std::memcpy(last_b, b + i, left * sizeof(float));
  std::memcpy(last_words, words + i, left * sizeof(std::uint32_t));
  active_of_eight(last_a, last_b, last_words, K, bit, active);
  for (Index l = 0; i + l < count; ++l)
    bonds[i + l] = static_cast<std::uint8_t>(bonds[i + l] | active[l]);
}

}  // namespace

const ReflectionRowKernels reflection_row_kernels_table{activate};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
