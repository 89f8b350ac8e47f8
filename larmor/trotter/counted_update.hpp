#pragma once
// A local update of a word of a site, if all bonds of the site have couplings of one size and there
// is no longitudinal field. Adders count the unsatisfied bonds of every bit. With the bonds in time
// they form classes of equal probability. The decision is that of ising/multispin.

#include "larmor/ising/multispin/samples/update_kernel.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {

/// Masks of the bits in each class. @param plane ones: the bond is unsatisfied
/// @return the bits outside all classes, whose flips are certain
template <int width, bool few, class W>
LARMOR_INLINE W class_members(const W (&plane)[width], const W& previous, const W& next,
                              W (&member)[class_count(width, few)]) {
  constexpr int counts = width + 1, bits = ising::bits_of_count(width);
  W sum[bits];
  ising::count_planes<width>(plane, sum);
  const W one = previous ^ next, none = ~(previous | next), both = previous & next;
  W any_of = ising::spread_word<W>(0u);
  LARMOR_UNROLL
  for (int u = 0; u < counts; ++u) {
    const W equal = ising::equals(sum, bits, u);
    member[u] = none & equal;
    if constexpr (few) {
      if (u < counts / 2) {
        member[counts + u] = one & equal;
        any_of = any_of | equal;
      }
    } else {
      member[counts + u] = one & equal;
      member[2 * counts + u] = both & equal;
    }
  }
  return few ? both | (one & ~any_of) : ising::spread_word<W>(0u);
}

/// The words of a site, of all groups of W.
template <class W>
struct SiteWords {
  const std::uint32_t* p;
  int lanes;
  LARMOR_INLINE W at(int w) const { return ising::loaded<W>(p + Index{w} * lanes); }
};

/// Prepares the decision of word w of a site. @param spins those of the groups of W
/// @param negative signs of bonds of the groups of W, or null @param before the word
/// @return flips that are certain
template <int width, bool few, class W>
LARMOR_INLINE W classify(const UpdateView& view, const std::uint32_t* spins,
                         const std::uint32_t* negative, Index site, int w, W& before,
                         W (&member)[class_count(width, few)]) {
  const Index stride = Index{view.time.words} * view.lanes;
  const SiteWords<W> own{spins + site * stride, view.lanes};
  before = own.at(w);
  const Index first = view.offset[site];
  const auto degree = static_cast<int>(view.offset[site + 1] - first);
  W plane[width];
  LARMOR_UNROLL
  for (int n = 0; n < width; ++n) {
    plane[n] = ising::spread_word<W>(0u);
    if (n >= degree) continue;
    plane[n] = before ^
               ising::loaded<W>(spins + view.neighbour[first + n] * stride + Index{w} * view.lanes);
    if (negative != nullptr)
      plane[n] = plane[n] ^ ising::loaded<W>(negative + Index{view.bond[first + n]} * view.lanes);
  }
  return class_members<width, few>(plane, before ^ previous_slices<W>(view.time, own, w),
                                   before ^ next_slices<W>(view.time, own, w), member);
}

/// BITS: the site of the random key of a word.
LARMOR_INLINE std::uint32_t random_site(const UpdateView& view, Index site, int w) {
  return static_cast<std::uint32_t>(site * view.time.words + w);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
