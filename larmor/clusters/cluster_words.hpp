#pragma once
// The random words of clusters: each bond and each cluster has one, a function of Philox keys, so
// that the order of the work changes no bit.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"

namespace larmor::clusters {

/// Several of them do one update; each is a function of the seed, the step and the replica.
struct ClusterKeys {
  std::uint64_t seed, step, first_replica;

  LARMOR_HD RandomKey of(Stream stream) const { return {seed, step, stream, first_replica}; }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// BITS: the words of a call of Philox serve sites that lie eight apart, so that eight calls side
/// by side serve whole groups of consecutive sites: 32 of one axis, 16 of two, 8 of three or four.
/// A bond of a graph has its words as a site of one axis.
struct WordPlace {
  std::uint64_t call;
  int word;
};
LARMOR_INLINE WordPlace word_place(std::uint64_t site, int axis, int words_shift) {
  const int group_shift = 5 - words_shift;
  const auto slot = static_cast<int>((site & ((1u << group_shift) - 1)) >> 3);
  return {((site >> group_shift) << 3) | (site & 7), (slot << words_shift) + axis};
}

/// One of four words. Without a computed index, for which a GPU needs memory.
LARMOR_INLINE std::uint64_t chosen_word(const RandomWords<std::uint64_t>& words, int n) {
  const std::uint64_t low = (n & 1) != 0 ? words.w[1] : words.w[0];
  const std::uint64_t high = (n & 1) != 0 ? words.w[3] : words.w[2];
  return (n & 2) != 0 ? high : low;
}
LARMOR_INLINE std::uint64_t word_at(const ClusterKeys& keys, Index replica,
                                    const WordPlace& place) {
  return chosen_word(
      philox(keys.of(Stream::cluster_bond), place.call, static_cast<std::uint64_t>(replica)),
      place.word);
}

/// The word that decides what becomes of a cluster. @param label its least site
LARMOR_INLINE std::uint64_t label_word(const ClusterKeys& keys, Index replica,
                                       std::uint64_t label) {
  return philox(keys.of(Stream::cluster_state), label, static_cast<std::uint64_t>(replica)).w[0];
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
