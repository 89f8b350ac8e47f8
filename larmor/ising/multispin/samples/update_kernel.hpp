#pragma once
// Updates a site in all samples of a word W at once. For each bond, a bit plane marks the samples
// in which the bond is unsatisfied. Adders count the ones of these planes in binary. The decision
// follows as in a BitLattice (ising/multispin/grid/update_kernel.hpp).
//
// A site of d bonds, of which u are unsatisfied, has h = d - 2 u. If kernels have room for more
// than d bonds, planes of zeros fill the rest. They do not change u, and probabilities are those
// for d bonds.

#include "larmor/ising/multispin/grid/update_kernel.hpp"
#include "larmor/ising/multispin/samples/samples_view.hpp"

namespace larmor::ising {

/// Numbers of bonds for which kernels exist. A kernel is for sites with at most its number of
/// bonds.
inline constexpr int widths[] = {4, 6, 8, 12, most_bonds_of_site};

/// Returns call(n), with the constant n equal to `width`, which must be one of `widths`.
#define LARMOR_FOR_WIDTH(width, call) \
  switch (width) {                    \
    case 4:                           \
      return call(4);                 \
    case 6:                           \
      return call(6);                 \
    case 8:                           \
      return call(8);                 \
    case 12:                          \
      return call(12);                \
    default:                          \
      return call(32);                \
  }

constexpr int bits_of_count(int most) {
  int bits = 0;
  for (; most > 0; most /= 2) ++bits;
  return bits;
}

/// Number of classes. A class is a number of unsatisfied bonds; if `upper_half` is true, only
/// numbers with h > 0 are classes.
template <int width, bool upper_half>
inline constexpr int sample_classes = upper_half ? (width + 1) / 2 : width + 1;

inline namespace LARMOR_ISA_NAMESPACE {

/// The number of ones among `count` planes, in binary. @param sum [bits_of_count(count)]
template <int count, class W>
LARMOR_INLINE void count_planes(const W* plane, W* sum) {
  W s = plane[0];
  if constexpr (count > 1) {
    W carry[count / 2];
    LARMOR_UNROLL
    for (int n = 1; n + 1 < count; n += 2) {
      carry[n / 2] = majority(s, plane[n], plane[n + 1]);
      s = xor3(s, plane[n], plane[n + 1]);
    }
    if constexpr (count % 2 == 0) {
      carry[count / 2 - 1] = s & plane[count - 1];
      s = s ^ plane[count - 1];
    }
    count_planes<count / 2>(carry, sum + 1);
  }
  sum[0] = s;
}

/// For every sample, is the n-th bond of a site unsatisfied? @param own spins of the site
/// @param spins .at(position) @param signs .at(bond)
template <int width, class W, class Spins, class Signs>
LARMOR_INLINE void unsatisfied_planes(const SamplesView& view, std::int32_t position, int degree,
                                      W own, const Spins& spins, const Signs& signs,
                                      W (&plane)[width]) {
  const std::int32_t first = position * view.position_stride;
  LARMOR_UNROLL
  for (int n = 0; n < width; ++n) {
    plane[n] = spread_word<W>(0u);
    if (n >= degree) continue;
    const std::int32_t at = first + n * view.bond_stride;
    plane[n] = own ^ spins.at(view.neighbour[at]) ^ signs.at(view.bond, at);
  }
}

/// Finds the samples with each number of unsatisfied bonds. @return samples with none of these
/// numbers
template <int width, bool upper_half, class W>
LARMOR_INLINE W sample_members(const W (&plane)[width],
                               W (&member)[sample_classes<width, upper_half>]) {
  constexpr int bits = bits_of_count(width);
  W sum[bits];
  count_planes<width>(plane, sum);
  W any_of = spread_word<W>(0u);
  LARMOR_UNROLL
  for (int c = 0; c < sample_classes<width, upper_half>; ++c) {
    member[c] = equals(sum, bits, c);
    any_of = any_of | member[c];
  }
  return upper_half ? ~any_of : spread_word<W>(0u);
}

/// q = width - h of a site with u unsatisfied bonds and d bonds. If u > d, which never occurs,
/// returns any valid q.
LARMOR_INLINE int sum_of_class(int width, int degree, int unsatisfied) {
  const int q = width - degree + 2 * unsatisfied;
  return q < 2 * width ? q : 2 * width;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
